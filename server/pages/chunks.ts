import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AUTOPLAY_PAGE } from '../../contract/page-properties.ts'
import { SHARED_PLAYLIST_PATH } from '../../contract/paths.ts'
import type { SiteHostKind } from '../../contract/site.ts'
import { computeCspHash } from '../http/security.ts'

/** A chunk in Vite's build manifest (https://vite.dev/guide/backend-integration). */
interface BuildChunk {
  file: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}

/** The scripts and styles that the page at one address loads, in the order of the build manifest. */
export interface PageAssets {
  /** The URLs of JavaScript modules, for `modulepreload` links. */
  modules: string[]
  /** The URLs of the style sheets that `css` consists of. */
  styleSheets: string[]
  /** The text of all style sheets of the page. It is inlined, so that the first paint does not wait for a request. */
  css: string
  /** The source expression of the Content Security Policy that allows `css`. */
  cspSource: string
}

/** Manifest key of the module of the player, which is imported dynamically. */
const PLAYER_MODULE = 'player/player.ts'
/** The manifest key of the module that dynamically imports one of `hostModules`. */
const HOST_PAGE_MODULE = 'app/host-page.tsx'
/** The manifest keys of the modules that show the page of a radio host or of a subscriber's host. */
const hostModules = { radio: 'features/radio/radio-site.tsx', subscriber: 'features/website/public-page.tsx' } as const satisfies Record<
  Exclude<SiteHostKind, 'main'>,
  string
>

/** The paths of pages whose chunk is that of another page, with the path of the other page. */
const sharedChunkPaths: Readonly<Record<string, string>> = { [SHARED_PLAYLIST_PATH]: '/playlist' }

/** Returns the manifest keys that the chunks of a page and of the layouts around the page can have, the outermost layout first. */
function listChunkKeys(pagePath: string): string[] {
  const routePath = sharedChunkPaths[pagePath] ?? pagePath
  const pathParts = routePath.split('/').filter((part) => part !== '')
  const names = pathParts.map((_, index) => pathParts.slice(0, index + 1).join('.'))
  const indexNames = routePath === '/' ? ['index'] : names.slice(-1).map((name) => `${name}.index`)
  return [...names, ...indexNames].map((name) => `routes/${name}.tsx?tsr-split=component`)
}

/**
 * Reads the client's build manifest. Returns functions that list the scripts and styles of an address; the lists are empty if there is no manifest.
 */
export function readBuildManifest(clientDir: string) {
  const manifestFile = join(clientDir, '.vite/manifest.json')
  // Vite's manifest is not validated, because the same build wrote it and the chunks.
  const chunkByKey: Record<string, BuildChunk> = existsSync(manifestFile) ? JSON.parse(readFileSync(manifestFile, 'utf8')) : {}
  const entryKey = Object.keys(chunkByKey).find((key) => chunkByKey[key]?.isEntry)
  // Every page loads the entry chunk and the chunks that the entry imports dynamically.
  const startChunkKeys = entryKey === undefined ? [] : [entryKey, ...(chunkByKey[entryKey]?.dynamicImports ?? [])]
  const assetsByChunkKeys = new Map<string, PageAssets>()

  function addChunk(chunkKey: string, moduleUrls: Set<string>, styleSheets: Set<string>): void {
    const buildChunk = chunkByKey[chunkKey]
    if (buildChunk === undefined || moduleUrls.has(`/${buildChunk.file}`)) return
    moduleUrls.add(`/${buildChunk.file}`)
    for (const each of buildChunk.imports ?? []) addChunk(each, moduleUrls, styleSheets)
    for (const each of buildChunk.css ?? []) styleSheets.add(`/${each}`)
  }

  function collectAssets(chunkKeys: string[]): PageAssets {
    const moduleUrls = new Set<string>()
    const styleSheets = new Set<string>()
    for (const chunkKey of chunkKeys) addChunk(chunkKey, moduleUrls, styleSheets)
    const css = [...styleSheets].map((url) => readFileSync(join(clientDir, url), 'utf8').trim()).join('')
    return { modules: [...moduleUrls], styleSheets: [...styleSheets], css, cspSource: computeCspHash(css) }
  }

  const collectAssetsWith = (...chunkKeys: (string | undefined)[]): PageAssets => {
    const cacheKey = chunkKeys.join()
    const cachedAssets = assetsByChunkKeys.get(cacheKey)
    if (cachedAssets !== undefined) return cachedAssets
    const assets = collectAssets([...startChunkKeys, ...chunkKeys].filter((each) => each !== undefined))
    assetsByChunkKeys.set(cacheKey, assets)
    return assets
  }

  return {
    /** Returns the assets for a `urlPath` without trailing slash of a main host; for an unknown path those that all pages share. */
    assetsOfPath: (urlPath: string): PageAssets =>
      collectAssetsWith(
        ...listChunkKeys(urlPath).filter((key) => Object.hasOwn(chunkByKey, key)),
        urlPath === AUTOPLAY_PAGE ? PLAYER_MODULE : undefined,
      ),
    /** Returns the assets of the only page of a radio or subscriber host. */
    assetsOfHost: (hostClass: keyof typeof hostModules): PageAssets => collectAssetsWith(HOST_PAGE_MODULE, hostModules[hostClass]),
  }
}
