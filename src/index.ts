// What embedders may import.
export { type App, type AppOptions, createApp, type ServiceParts } from './app.ts';
export { type Config, type ConfigInput, loadConfig } from './config/load.ts';
export { askForm, askModel, askRoots, type Call, type Caller, createPlainCall, localCaller } from './core/call.ts';
export type { Command } from './core/command.ts';
export type { Content, PromptMessage, ResourceContents } from './core/content.ts';
export { type ErrorWord, LoreError } from './core/error.ts';
export { fromJsonSchema } from './core/foreign.ts';
export { createLog, type Log } from './core/log.ts';
export type { Migration } from './core/migration.ts';
export { getPrompt, readResource } from './core/registry/lookup.ts';
export type { Registry } from './core/registry/registry.ts';
export type { Route, RouteAnswer, RouteRequest } from './core/route.ts';
export * as schema from './core/schema.ts';
export type { EndedCall, Host, Observer, Prompt, Resource, ResourceTemplate, Service } from './core/service.ts';
export type { Setting } from './core/setting.ts';
export type { Skill, SkillFile, SkillSource } from './core/skill.ts';
export { defineTool, type Effect, type Tool, type ToolDefinition } from './core/tool.ts';
export type {
  AnswerFile,
  ProvidedAnswer,
  ProvidedCall,
  ProvidedTool,
  ToolProvider,
  ToolSource,
} from './core/tool-provider.ts';
export type { GraphAccess } from './graph/access.ts';
export { sql } from './store/sql.ts';
export { type HttpServer, serveHttp } from './transport/http.ts';
export { serveStdio } from './transport/stdio.ts';
