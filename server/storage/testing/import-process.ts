import { openStorage } from '../open.ts'

// A process of its own that imports a file: DATA_DIR FILE
const [, , dataDir = '', file = ''] = process.argv
const storage = await openStorage({ dataDir })
await storage.catalogue.importFile(file)
await storage.close()
