import type { DeleteAccountData } from '../identity/store-accounts.ts'
import type { Database } from '../storage/database.ts'
import { createAccountModeration } from './store-accounts.ts'
import { createAdminActionLog } from './store-actions.ts'
import { createCatalogueModeration } from './store-catalogue.ts'
import { createOwnedModeration } from './store-owned.ts'
import { createReportQueue } from './store-reports.ts'

/** The changes that admins make. Each change is one transaction, which also records the action. */
export const createModerationStore = (database: Database, deleteAccountData: DeleteAccountData) => ({
  ...createAdminActionLog(database),
  ...createCatalogueModeration(database),
  ...createOwnedModeration(database),
  ...createAccountModeration(database, deleteAccountData),
  ...createReportQueue(database),
})
