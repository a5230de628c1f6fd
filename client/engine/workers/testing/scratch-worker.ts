import { createScratchFile } from '../../scratch.ts'

/** Holds a scratch file until the worker is terminated. Posts the name of the file. */
const scratchFile = await createScratchFile()
self.postMessage(scratchFile?.name)
