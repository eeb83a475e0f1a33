#!/bin/sh
# Creates the role and the database of the team. The role is not a superuser, so row security applies to it.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$LORE_DB_PASSWORD" --username "${POSTGRES_USER:-postgres}" <<'SQL'
create role lore login nosuperuser nobypassrls password :'password';
create database lore owner lore;
SQL
