import { RECEIVED_FILES } from '../contract/caches.ts'
import { pickFile, RECEIVED_PATH, waitingHeaders, waitingName } from '../contract/received-file.ts'

/** Keeps the file of a form that was shared with the app, in place of one that waited. Gives whether there was one. */
export async function keepSharedFile(request: Request, nowMs: number): Promise<boolean> {
  const form = await request.formData()
  const file = pickFile(form.getAll('file').filter((part) => part instanceof File))
  if (!file) return false
  await (await caches.open(RECEIVED_FILES)).put(RECEIVED_PATH, new Response(file, { headers: waitingHeaders(file, nowMs) }))
  return true
}

/** A file that nobody came for. */
export async function dropOldFile(nowMs: number): Promise<void> {
  const cache = await caches.open(RECEIVED_FILES)
  const waiting = await cache.match(RECEIVED_PATH)
  if (waiting && waitingName(waiting.headers, nowMs) === undefined) await cache.delete(RECEIVED_PATH)
}
