import type { Database } from '../storage/database.ts'
import { createAdminActionLog } from './store-actions.ts'
import { createCatalogueModeration } from './store-catalogue.ts'

/** What admins change and record. Each method runs in one transaction, which also records the action. */
export function createModerationStore(database: Database) {
  return { ...createAdminActionLog(database), ...createCatalogueModeration(database) }
}
