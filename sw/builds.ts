// Records which precached files belong to which build. The previous build's files are retained, so that pages opened with that build keep
// working, offline too; files of older builds are deleted.

const BUILDS_CACHE = 'builds-v1'
const BUILDS_ENTRY_URL = '/builds.json'

async function readBuilds(): Promise<string[][]> {
  try {
    return parseBuilds(await (await (await caches.open(BUILDS_CACHE)).match(BUILDS_ENTRY_URL))?.text())
  } catch {
    return []
  }
}

/** Parses the record that `deleteOldBuilds` writes: the URLs of each build. Returns an empty result for any other JSON. */
export function parseBuilds(buildsText: string | undefined): string[][] {
  if (buildsText === undefined) return []
  const builds: unknown = JSON.parse(buildsText)
  const isUrlList = (build: unknown): build is string[] => Array.isArray(build) && build.every((url) => typeof url === 'string')
  return Array.isArray(builds) ? builds.filter(isUrlList) : []
}

/** Returns the builds to retain when `currentBuild` is activated: `currentBuild` and the build before it. */
export function selectRetainedBuilds(currentBuild: readonly string[], knownBuilds: readonly (readonly string[])[]): (readonly string[])[] {
  const isCurrentBuild = (build: readonly string[]) =>
    build.length === currentBuild.length && build.every((url, index) => url === currentBuild[index])
  return [currentBuild, ...knownBuilds.filter((build) => !isCurrentBuild(build))].slice(0, 2)
}

/** Deletes the files in `precacheName` that belong neither to `currentUrls` (absolute URLs) nor to the previous build. */
export async function deleteOldBuilds(precacheName: string, currentUrls: readonly string[]): Promise<void> {
  const retainedBuilds = selectRetainedBuilds([...currentUrls].sort(), await readBuilds())
  await (await caches.open(BUILDS_CACHE)).put(BUILDS_ENTRY_URL, new Response(JSON.stringify(retainedBuilds)))
  const retainedUrls = new Set(retainedBuilds.flat())
  const precache = await caches.open(precacheName)
  for (const request of await precache.keys()) if (!retainedUrls.has(request.url)) await precache.delete(request)
}
