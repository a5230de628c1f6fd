import { join } from 'node:path'

export const databaseFile = (dataDir: string) => join(dataDir, 'varispeed.sqlite')
export const catalogueFile = (dataDir: string, buildNumber: number) => join(dataDir, `catalogue-${buildNumber}.sqlite`)
