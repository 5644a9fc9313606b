import { obeyBridge } from "../../conformance/bridge.ts";

/** OpenCode has no dialog for one call: its bridge never gets to see an ask (see `can`). */
export const obey = obeyBridge;
