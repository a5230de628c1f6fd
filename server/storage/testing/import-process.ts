import { openStorage } from '../open.ts'

// Imports a file. Arguments: DATA_DIR FILE
const [, , dataDir = '', importFile = ''] = process.argv
const importStorage = await openStorage({ dataDir })
await importStorage.catalogue.importFile(importFile)
await importStorage.close()
