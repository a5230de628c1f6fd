import { EMPTY_SNAPSHOT_TEMPLATE, SNAPSHOT_ID, SNAPSHOT_PATH } from '../contract/account-snapshot.ts'

interface AccountSnapshotOptions {
  /** The suffix of the cache name, different for each build, because a snapshot needs the style sheets of its build. */
  cacheName: string
  /** Whether a script or style sheet belongs to this build. */
  isOwnAsset: (path: string) => boolean
}

/** The data that a page posts: the `<template>` with the snapshot and the uid, and the paths of the page's style sheets. */
export interface PostedSnapshot {
  html: string
  styleSheets: readonly string[]
}

const CACHE_PREFIX = 'account-snapshot-'

/**
 * Caches the account snapshot, which is inserted into the stored document of the dashboard. The document's script shows the snapshot only
 * to the account that it belongs to. A sign-out deletes the snapshot.
 */
export function createAccountSnapshot({ cacheName, isOwnAsset }: AccountSnapshotOptions) {
  const fullCacheName = CACHE_PREFIX + cacheName
  let lastChange: Promise<unknown> = Promise.resolve()

  /** Runs the changes one after the other, so that a snapshot that was posted before a sign-out does not outlive the sign-out. */
  function runInOrder(applyChange: () => Promise<unknown>): Promise<void> {
    lastChange = lastChange.then(applyChange).catch(() => undefined)
    return lastChange.then(() => undefined)
  }

  async function deleteCaches(isDeleted: (name: string) => boolean): Promise<void> {
    for (const name of await caches.keys()) if (name.startsWith(CACHE_PREFIX) && isDeleted(name)) await caches.delete(name)
  }

  return {
    /** Caches a snapshot, unless the page that posted it belongs to another build. A failure changes nothing. */
    store: ({ html, styleSheets }: PostedSnapshot): Promise<void> =>
      runInOrder(async () => {
        if (styleSheets.every(isOwnAsset)) await (await caches.open(fullCacheName)).put(SNAPSHOT_PATH, new Response(html))
      }),
    /** Deletes the snapshots of all builds. */
    delete: (): Promise<void> => runInOrder(() => deleteCaches(() => true)),
    deleteOtherBuilds: (): Promise<void> => runInOrder(() => deleteCaches((name) => name !== fullCacheName)),
    /**
     * Resolves to the stored document of the dashboard with the snapshot. If there is no snapshot, or for another page, resolves to the
     * unchanged document.
     */
    async insertInto(page: Response, urlPath: string): Promise<Response> {
      if (urlPath !== SNAPSHOT_PATH) return page
      const snapshotResponse = await caches.match(SNAPSHOT_PATH, { cacheName: fullCacheName }).catch(() => undefined)
      if (snapshotResponse === undefined) return page
      const [pageHtml, snapshotTemplate] = await Promise.all([page.text(), snapshotResponse.text()])
      return new Response(
        pageHtml.replace(EMPTY_SNAPSHOT_TEMPLATE, () => snapshotTemplate.replace('<template', `<template id="${SNAPSHOT_ID}"`)),
        { headers: page.headers },
      )
    },
  }
}
