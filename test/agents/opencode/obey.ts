import { obeyBridge } from "../../conformance/bridge.ts";

/** Raises OpenCode's own dialog for an ask; what happens where there is none is the bridge's own test. */
export const obey = obeyBridge;
