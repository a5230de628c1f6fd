import type { AccountInfo } from '../../contract/account.ts'
import { type Loaded, useResource } from './catalogue.ts'
import { useServices } from './services.tsx'

/** Returns the account's data from the server, or the stored data while the server is unreachable. */
export const useAccountInfo = (uid: string): Loaded<AccountInfo> => useResource(useServices().accounts.info(uid))
