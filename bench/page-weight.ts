import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'

interface Chunk {
  file: string
  isEntry?: boolean
  imports?: string[]
}

const client = fileURLToPath(new URL('../dist/client/', import.meta.url))

/** Routes by the name of their file. */
export const weighedRoutes = ['index', 'playlists', 'playlist', 'search', 'song'] as const

/** The most compressed bytes of program that a route may need before someone does anything. */
export const JS_BUDGET_BYTES = 125 * 1024

/**
 * Compressed bytes (brotli) of the program that each route starts with: the entry, the route, and all that these import. What
 * is fetched when the page is idle (the device's database, the service worker's registration) or at a press is not in it.
 */
export function routeWeights(): Record<(typeof weighedRoutes)[number], number> {
  const chunks: Record<string, Chunk> = JSON.parse(readFileSync(join(client, '.vite/manifest.json'), 'utf8'))
  const entry = Object.keys(chunks).find((key) => chunks[key]?.isEntry)
  if (entry === undefined) throw new Error('the manifest of the build names no entry')
  const weigh = (route: string) => {
    const files = new Set<string>()
    const collect = (key: string) => {
      const chunk = chunks[key]
      if (chunk === undefined) throw new Error(`the build has no ${key}`)
      if (files.has(chunk.file)) return
      files.add(chunk.file)
      for (const each of chunk.imports ?? []) collect(each)
    }
    collect(entry)
    collect('main.tsx')
    collect(`routes/${route}.tsx?tsr-split=component`)
    return [...files].reduce((sum, file) => sum + brotliCompressSync(readFileSync(join(client, file))).length, 0)
  }
  const { index, playlists, playlist, search, song } = Object.fromEntries(weighedRoutes.map((route) => [route, weigh(route)]))
  return { index: index ?? 0, playlists: playlists ?? 0, playlist: playlist ?? 0, search: search ?? 0, song: song ?? 0 }
}
