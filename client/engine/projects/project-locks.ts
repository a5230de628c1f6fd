import { takeWebLock } from '../../primitives/web-lock.ts'

/** Web Locks by which the tabs of the site share the projects. The browser releases the locks of a tab that ends. */
export interface ProjectLocks {
  /** Runs `work` while no other call in any tab runs its work. */
  runExclusively<T>(work: () => Promise<T>): Promise<T>
  /** Takes the lock of a project for this store. Returns the function that releases the lock; `undefined` if another store holds it. */
  takeProjectLock(id: string): Promise<(() => void) | undefined>
}

/** The name of a lock that is held while projects are written. Earlier versions of the maker, which may be open in other tabs, use the same lock. */
const STORE_LOCK_NAME = 'maker-project'
const PROJECT_LOCK_PREFIX = 'maker-project/'

export const browserProjectLocks: ProjectLocks = {
  runExclusively: async (work) => navigator.locks.request(STORE_LOCK_NAME, work),
  takeProjectLock: (id) => takeWebLock(PROJECT_LOCK_PREFIX + id),
}
