import { createScratch } from '../scratch.ts'

/** Uses a scratch file for as long as it lives, and tells its name. */
const scratch = await createScratch()
self.postMessage(scratch?.name)
