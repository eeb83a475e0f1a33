// One mounted server, as calls see it: reached in this process, through another process of ours, or over HTTP.
import type { Params, RequestContext } from '../../../client/session.ts';

export interface Upstream {
  /** Rejects with a LoreError, an `UpstreamFailure`, or the reason of the signal. */
  request(method: string, params: Params, context: RequestContext): Promise<Params>;
  close(): void;
}
