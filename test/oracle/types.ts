// Which type of the schema each message is, by its method. What a revision does not have under such a name it must not
// send, and the judge says so.

export const resultTypes: Record<string, string> = {
  initialize: 'InitializeResult',
  ping: 'EmptyResult',
  shutdown: 'EmptyResult',
  'logging/setLevel': 'EmptyResult',
  'server/discover': 'DiscoverResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'tasks/get': 'GetTaskResult',
  'tasks/update': 'UpdateTaskResult',
  'tasks/cancel': 'CancelTaskResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'resources/subscribe': 'EmptyResult',
  'resources/unsubscribe': 'EmptyResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'completion/complete': 'CompleteResult',
};

/** Results of another kind than the method's own, told apart by `resultType`. */
export const otherResultTypes: Record<string, { type: string; methods: string[] }> = {
  input_required: { type: 'InputRequiredResult', methods: ['tools/call', 'prompts/get', 'resources/read'] },
  task: { type: 'CreateTaskResult', methods: ['tools/call'] },
};

export const notificationTypes: Record<string, string> = {
  'notifications/cancelled': 'CancelledNotification',
  'notifications/progress': 'ProgressNotification',
  'notifications/message': 'LoggingMessageNotification',
  'notifications/tools/list_changed': 'ToolListChangedNotification',
  'notifications/resources/list_changed': 'ResourceListChangedNotification',
  'notifications/resources/updated': 'ResourceUpdatedNotification',
  'notifications/prompts/list_changed': 'PromptListChangedNotification',
  'notifications/subscriptions/acknowledged': 'SubscriptionsAcknowledgedNotification',
  'notifications/tasks': 'TaskStatusNotification',
};

export const requestTypes: Record<string, string> = {
  'elicitation/create': 'ElicitRequest',
  'sampling/createMessage': 'CreateMessageRequest',
  'roots/list': 'ListRootsRequest',
};

/** Errors that have a type of their own, in the revision that has them. */
export const errorTypes: Record<number, string> = {
  [-32020]: 'HeaderMismatchError',
  [-32021]: 'MissingRequiredClientCapabilityError',
  [-32022]: 'UnsupportedProtocolVersionError',
};
