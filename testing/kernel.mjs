import { ensureBuilt } from '../scripts/ensure-built.mjs'

/** Builds the WebAssembly kernel, which audio tests run. */
export const setup = () => ensureBuilt('kernel')
