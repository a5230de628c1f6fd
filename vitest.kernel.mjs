import { ensureBuilt } from './scripts/ensure-built.mjs'

/** Tests of sound run the compiled kernel. */
export const setup = () => ensureBuilt('kernel')
