import { openStorage } from '../open.ts'

// Imports a file. Arguments: DATA_DIR FILE
const [, , dataDir = '', file = ''] = process.argv
const storage = await openStorage({ dataDir })
await storage.catalogue.importFile(file)
await storage.close()
