// The SQLSTATE of a database's message: as it is written, else by what PostgreSQL says for it, since most drivers leave
// the code out and keep the sentence.

const written =
  /(?:SQLSTATE|SQL state|sqlstate)[\s:=[(]{0,3}([0-9A-Z]{5})(?!\w)|(?<!\w)code['"]?[:=] ?['"]?([0-9][0-9A-Z]{4}|[A-Z]{2}\d{3})(?!\w)/;

/** Appendix A of PostgreSQL's manual has the codes; the sentences are the server's. */
const said: readonly [string, RegExp][] = [
  ['23505', /duplicate key value violates unique constraint|UniqueViolation/],
  ['23503', /violates foreign key constraint|ForeignKeyViolation/],
  ['23502', /violates not-null constraint|NotNullViolation/],
  ['23514', /violates check constraint|CheckViolation/],
  ['23P01', /violates exclusion constraint/],
  ['22001', /value too long for type character|StringDataRightTruncation/],
  ['22003', /out of range for type |integer out of range|NumericValueOutOfRange/],
  ['22007', /invalid input syntax for type (?:timestamp|date|time)/],
  ['22P02', /invalid input syntax for (?:type )?(?!timestamp|date|time)|InvalidTextRepresentation/],
  ['22012', /^division by zero|: division by zero$/],
  ['25006', /in a read-only transaction/],
  ['25P02', /current transaction is aborted|InFailedSqlTransaction/],
  ['28000', /no pg_hba\.conf entry|role .{1,80} is not permitted to log in/],
  ['28P01', /password authentication failed for user/],
  ['3D000', /database "[^"]{1,80}" does not exist/],
  ['3F000', /schema "[^"]{1,80}" does not exist/],
  ['40001', /could not serialize access/],
  ['40P01', /deadlock detected/],
  ['42501', /permission denied for (?:table|relation|schema|database|sequence|view|function)|must be owner of/],
  ['42601', /syntax error at (?:or near|end of input)/],
  ['42701', /column "[^"]{1,80}" (?:of relation "[^"]{1,80}" )?already exists|specified more than once/],
  ['42702', /column reference .{1,80} is ambiguous/],
  ['42703', /column (?:"[^"]{1,80}"|[\w.]{1,80}) (?:of relation "[^"]{1,80}" )?does not exist|UndefinedColumn/],
  ['42704', /(?:type|role|index|extension) "[^"]{1,80}" does not exist/],
  ['42710', /(?:role|extension|constraint|trigger|policy) "[^"]{1,80}" .{0,60}already exists/],
  ['42803', /must appear in the GROUP BY clause/],
  ['42804', /is of type .{1,60} but expression is of type/],
  ['42883', /operator does not exist|function .{1,120} does not exist/],
  ['42P01', /relation "[^"]{1,120}" does not exist|missing FROM-clause entry|UndefinedTable/],
  ['42P07', /relation "[^"]{1,120}" already exists|DuplicateTable/],
  ['53100', /could not extend file|could not write to file .{1,200}No space left/],
  ['53200', /out of shared memory/],
  ['53300', /too many clients already|remaining connection slots are reserved/],
  ['55P03', /could not obtain lock on|due to lock timeout/],
  ['57014', /canceling statement due to/],
  ['57P01', /terminating connection due to administrator command/],
  ['57P03', /the database system is (?:starting up|shutting down|in recovery mode)/],
];

export function sqlStateOf(line: string): string | undefined {
  const [, first, second] = written.exec(line) ?? [];
  const code = first ?? second;
  if (code !== undefined && /\d/.test(code)) return code;
  return said.find(([, sentence]) => sentence.test(line))?.[0];
}
