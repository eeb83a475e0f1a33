// The shapes of the tasks extension (SEP-2663), which has no schema file of its own, in terms of the revision's types.

const task = {
  taskId: { type: 'string', minLength: 1 },
  statusMessage: { type: 'string' },
  createdAt: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$' },
  lastUpdatedAt: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$' },
  ttlMs: { type: ['integer', 'null'], minimum: 0 },
  pollIntervalMs: { type: 'integer', minimum: 0 },
};

const required = ['taskId', 'status', 'createdAt', 'lastUpdatedAt', 'ttlMs'];

/** What each state adds to a task; the other states must not have it. */
const adds = {
  working: {},
  input_required: { inputRequests: { $ref: '#/$defs/InputRequests', minProperties: 1 } },
  // "The structure matches the result type of the original request", and only tools/call can become a task.
  completed: { result: { $ref: '#/$defs/CallToolResult' } },
  failed: { error: { $ref: '#/$defs/Error' } },
  cancelled: {},
};

const extras = ['inputRequests', 'result', 'error'];

const detailedTask = {
  type: 'object',
  properties: { ...task, status: { enum: Object.keys(adds) } },
  required,
  allOf: Object.entries(adds).map(([status, added]) => ({
    if: { properties: { status: { const: status } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema; nobody awaits this object.
    then: {
      properties: { ...Object.fromEntries(extras.map((key) => [key, false])), ...added },
      required: Object.keys(added),
    },
  })),
};

function resultOf(resultType: string) {
  return {
    type: 'object',
    properties: { resultType: { const: resultType }, _meta: { $ref: '#/$defs/ResultMetaObject' } },
    required: ['resultType'],
  };
}

export const taskDefinitions = {
  CreateTaskResult: {
    allOf: [
      resultOf('task'),
      {
        type: 'object',
        properties: {
          ...task,
          status: { enum: Object.keys(adds) },
        },
        required,
      },
    ],
  },
  GetTaskResult: { allOf: [resultOf('complete'), detailedTask] },
  UpdateTaskResult: { ...resultOf('complete'), additionalProperties: false },
  CancelTaskResult: { ...resultOf('complete'), additionalProperties: false },
  TaskStatusNotification: {
    type: 'object',
    properties: {
      jsonrpc: { const: '2.0' },
      method: { const: 'notifications/tasks' },
      params: {
        allOf: [
          detailedTask,
          { type: 'object', properties: { _meta: { $ref: '#/$defs/NotificationMetaObject' } }, required: ['_meta'] },
        ],
      },
    },
    required: ['jsonrpc', 'method', 'params'],
    additionalProperties: false,
  },
  /** The filter of the revision, and the one word the extension adds to it. */
  SubscriptionFilter: {
    type: 'object',
    properties: {
      promptsListChanged: { type: 'boolean' },
      resourceSubscriptions: { type: 'array', items: { type: 'string' } },
      resourcesListChanged: { type: 'boolean' },
      toolsListChanged: { type: 'boolean' },
      taskIds: { type: 'array', items: { type: 'string' } },
    },
    additionalProperties: false,
  },
};
