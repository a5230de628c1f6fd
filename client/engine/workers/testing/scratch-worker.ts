import { createScratch } from '../../scratch.ts'

/** Holds a scratch file until it is terminated, and posts the name of the file. */
const scratch = await createScratch()
self.postMessage(scratch?.name)
