// Facts as people state them, which learning must keep whole and recall must find.
export const plainFacts = [
  'PostgreSQL 15 is the primary database.',
  'Tests run with pnpm vitest run.',
  'Node 22 features are now available in CI.',
  'We pinned the driver to v15.2 for the main store.',
  'The API gateway listens on 8443.',
  'Deploys go out on Tuesdays.',
];
