// Which files of the precache belong to which build. The files of the build before this one stay, so that a page that
// was opened with it goes on working, offline too; what is older is deleted.

const CACHE = 'builds-v1'
const ENTRY = '/builds.json'

async function readBuilds(): Promise<string[][]> {
  try {
    return parseBuilds(await (await (await caches.open(CACHE)).match(ENTRY))?.text())
  } catch {
    return []
  }
}

/** What was written below; nothing where it is something else by now. */
export function parseBuilds(text: string | undefined): string[][] {
  if (text === undefined) return []
  const builds: unknown = JSON.parse(text)
  const isUrls = (build: unknown): build is string[] => Array.isArray(build) && build.every((url) => typeof url === 'string')
  return Array.isArray(builds) ? builds.filter(isUrls) : []
}

/** The builds that stay once `current` is the active one: itself and the one before. */
export function keptBuilds(current: readonly string[], known: readonly (readonly string[])[]): (readonly string[])[] {
  const isCurrent = (build: readonly string[]) => build.length === current.length && build.every((url, index) => url === current[index])
  return [current, ...known.filter((build) => !isCurrent(build))].slice(0, 2)
}

/** Deletes the files of `precacheName` that belong neither to `current` (absolute URLs) nor to the build before it. */
export async function dropOldBuilds(precacheName: string, current: readonly string[]): Promise<void> {
  const kept = keptBuilds([...current].sort(), await readBuilds())
  await (await caches.open(CACHE)).put(ENTRY, new Response(JSON.stringify(kept)))
  const wanted = new Set(kept.flat())
  const precache = await caches.open(precacheName)
  for (const request of await precache.keys()) if (!wanted.has(request.url)) await precache.delete(request)
}
