// What embedders may import.
export { type App, type AppOptions, createApp } from './app.ts';
export { type Config, type ConfigInput, loadConfig } from './config/load.ts';
export { askForm, askModel, askRoots, type Call, type Caller, localCaller } from './core/call.ts';
export type { Content, PromptMessage, ResourceContents } from './core/content.ts';
export { type ErrorWord, LoreError } from './core/error.ts';
export { fromJsonSchema } from './core/foreign.ts';
export { createLog, type Log } from './core/log.ts';
export type { Registry } from './core/registry/registry.ts';
export * as schema from './core/schema.ts';
export type { Host, Prompt, Resource, ResourceTemplate, Service } from './core/service.ts';
export type { Skill, SkillFile, SkillSource } from './core/skill.ts';
export { defineTool, type Effect, type Tool, type ToolDefinition } from './core/tool.ts';
export { type HttpServer, serveHttp } from './transport/http.ts';
export { serveStdio } from './transport/stdio.ts';
