import { RECEIVED_FILES_CACHE } from '../contract/caches.ts'
import { createReceivedFileHeaders, pickReceivedFile, RECEIVED_FILE_KEY, readReceivedFileName } from '../contract/received-file.ts'

/** Caches the file of a share-target form for the maker, replacing an earlier one. Resolves to whether the form had a file. */
export async function storeSharedFile(request: Request, nowMs: number): Promise<boolean> {
  const formData = await request.formData()
  const sharedFile = pickReceivedFile(formData.getAll('file').filter((entry) => entry instanceof File))
  if (!sharedFile) return false
  await (await caches.open(RECEIVED_FILES_CACHE)).put(
    RECEIVED_FILE_KEY,
    new Response(sharedFile, { headers: createReceivedFileHeaders(sharedFile, nowMs) }),
  )
  return true
}

/** Deletes a shared file that the maker has not opened before it expired. */
export async function deleteExpiredFile(nowMs: number): Promise<void> {
  const cache = await caches.open(RECEIVED_FILES_CACHE)
  const storedFile = await cache.match(RECEIVED_FILE_KEY)
  if (storedFile && readReceivedFileName(storedFile.headers, nowMs) === undefined) await cache.delete(RECEIVED_FILE_KEY)
}

/**
 * Returns whether a request comes from a page of another site, whose form may post a file of its choice. When the operating system shares a
 * file, the request comes from no page: the browser sends `Sec-Fetch-Site: none`, the opaque origin `null` and no referrer. Headers that
 * the browser hides from the worker count as absent.
 */
export function isFromOtherSite({ headers, referrer }: Pick<Request, 'headers' | 'referrer'>, ownOrigin: string): boolean {
  const secFetchSite = headers.get('sec-fetch-site') ?? 'none'
  const origin = headers.get('origin') ?? 'null'
  const isOwnReferrer = !/^https?:/.test(referrer) || new URL(referrer).origin === ownOrigin
  return !['none', 'same-origin'].includes(secFetchSite) || !['null', ownOrigin].includes(origin) || !isOwnReferrer
}
