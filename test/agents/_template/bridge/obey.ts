import { obeyBridge } from "../../../conformance/bridge.ts";

/** What `bridge.js` does with an answer; see bridge.test.ts. */
export const obey = obeyBridge;
