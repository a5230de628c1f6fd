import { KEPT_SONG_FOLDER, type LoopRange, type MakerSettings, type SoundFile } from './engine.ts'

export interface Project {
  readonly file: SoundFile
  /** Those that were kept; a setting of a later version may be missing. */
  readonly settings: Partial<MakerSettings>
  readonly bpm: number | undefined
  /** Undefined where none was set: the whole. */
  readonly loop: LoopRange | undefined
}

/**
 * The last project on this device: the file's bytes as they were, and the settings. Tabs share it; the last one that saves wins. It is its owner's: to
 * others there is none. What cannot be kept is not kept, and nothing rejects: the maker works without.
 */
export interface ProjectStore {
  /** Takes the place of what was kept. False where there is no room or the browser keeps no files; then nothing is kept. */
  save(file: SoundFile, settings: MakerSettings): Promise<boolean>
  /** Kept a little later, unless another tab has put its project there. */
  saveSettings(settings: MakerSettings): void
  saveBpm(bpm: number): void
  saveLoop(loop: LoopRange): void
  /** What waits is kept now. */
  flush(): Promise<void>
  /** Undefined where there is none, or not all of it. */
  load(): Promise<Project | undefined>
  /** Unless another tab has put its project there. */
  clear(): Promise<void>
  usedBytes(): Promise<number>
}

/** Of `project.json`. The file of that name in the same folder is complete whenever it is named here. */
interface Kept {
  readonly owner: string
  readonly source: string
  readonly sourceBytes: number
  readonly name: string
  readonly type: string
  readonly settings: Partial<MakerSettings>
  readonly bpm?: number
  readonly loop?: LoopRange
}

const INDEX = 'project.json'
const LOCK = 'maker-project'
const SETTLE_MS = 300

const SETTINGS = ['speed', 'pitch', 'reverbSize', 'reverbAmount', 'bassDb'] as const

/** @param owner who works with it: an account's id */
export function createProjectStore(owner = ''): ProjectStore {
  /** The kept file that this tab works with. */
  let source: string | undefined
  let pending: Pick<Kept, 'bpm' | 'loop'> & { settings?: MakerSettings } = {}
  let timer: ReturnType<typeof setTimeout> | undefined

  async function put(folder: FileSystemDirectoryHandle, file: SoundFile, settings: MakerSettings) {
    const name = crypto.randomUUID()
    await writeFile(folder, name, file.blob)
    const kept: Kept = { owner, source: name, sourceBytes: file.blob.size, name: file.name, type: file.blob.type, settings }
    await writeFile(folder, INDEX, JSON.stringify(kept))
    source = name
    await removeExcept(folder, [name, INDEX])
  }

  function later(patch: typeof pending) {
    pending = { ...pending, ...patch }
    timer ??= setTimeout(flush, SETTLE_MS)
  }

  function dropPending() {
    clearTimeout(timer)
    timer = undefined
    pending = {}
  }

  async function flush() {
    clearTimeout(timer)
    timer = undefined
    await inFolder(async (folder) => {
      const patch = pending
      pending = {}
      const kept = await readKept(folder)
      if (Object.keys(patch).length === 0 || kept === undefined || kept.source !== source) return
      await writeFile(folder, INDEX, JSON.stringify({ ...kept, ...patch } satisfies Kept))
    })
  }

  return {
    async save(file, settings) {
      dropPending()
      source = undefined
      const saved = await inFolder(async (folder) => {
        await put(folder, file, settings).catch(async () => {
          // Without what was kept before there may be room.
          await removeExcept(folder, [])
          await put(folder, file, settings)
        })
        return true
      })
      if (saved !== true) await inFolder((folder) => removeExcept(folder, []))
      return saved ?? false
    },
    saveSettings: (settings) => later({ settings }),
    saveBpm: (bpm) => later({ bpm }),
    saveLoop: (loop) => later({ loop }),
    flush,
    load: () =>
      inFolder(async (folder) => {
        const kept = await readKept(folder)
        if (kept?.owner !== owner) return undefined
        const file = await (await folder.getFileHandle(kept.source)).getFile()
        if (file.size !== kept.sourceBytes) return undefined
        source = kept.source
        return {
          file: { name: kept.name, blob: file.slice(0, file.size, kept.type) },
          settings: kept.settings,
          bpm: kept.bpm,
          loop: kept.loop,
        }
      }),
    async clear() {
      dropPending()
      await inFolder(async (folder) => {
        const kept = await readKept(folder).catch(() => undefined)
        if (kept === undefined || kept.source === source) await removeExcept(folder, [])
        source = undefined
      })
    },
    usedBytes: async () =>
      (await inFolder(async (folder) => {
        let bytes = 0
        for await (const handle of folder.values()) if (handle.kind === 'file') bytes += (await handle.getFile()).size
        return bytes
      })) ?? 0,
  }
}

/** One at a time, over all tabs. Undefined where it failed. */
async function inFolder<T>(work: (folder: FileSystemDirectoryHandle) => Promise<T>): Promise<T | undefined> {
  try {
    return await navigator.locks.request(LOCK, async () =>
      work(await (await navigator.storage.getDirectory()).getDirectoryHandle(KEPT_SONG_FOLDER, { create: true })),
    )
  } catch {
    return undefined
  }
}

/** All of it or nothing: what is written takes the file's place when the stream is closed. */
async function writeFile(folder: FileSystemDirectoryHandle, name: string, content: Blob | string) {
  const stream = await (await folder.getFileHandle(name, { create: true })).createWritable()
  try {
    await stream.write(content)
    await stream.close()
  } catch (error) {
    await stream.abort().catch(() => {})
    throw error
  }
}

/** The index goes first: it must not name a file that is gone. */
async function removeExcept(folder: FileSystemDirectoryHandle, stays: readonly string[]) {
  const names: string[] = []
  for await (const name of folder.keys()) if (!stays.includes(name)) names.push(name)
  for (const name of names.sort((a, b) => Number(b === INDEX) - Number(a === INDEX))) await folder.removeEntry(name).catch(() => {})
}

async function readKept(folder: FileSystemDirectoryHandle): Promise<Kept | undefined> {
  const text = await (await (await folder.getFileHandle(INDEX)).getFile()).text()
  const read: unknown = JSON.parse(text)
  if (typeof read !== 'object' || read === null) return undefined
  const { owner, source, sourceBytes, name, type, settings, bpm, loop } = read as Partial<Record<keyof Kept, unknown>>
  if (typeof owner !== 'string' || typeof source !== 'string' || typeof sourceBytes !== 'number' || typeof name !== 'string')
    return undefined
  return {
    owner,
    source,
    sourceBytes,
    name,
    type: typeof type === 'string' ? type : '',
    settings: settingsOf(settings),
    ...(typeof bpm === 'number' && { bpm }),
    ...(isLoop(loop) && { loop }),
  }
}

function isLoop(read: unknown): read is LoopRange {
  if (typeof read !== 'object' || read === null) return false
  const { on, startS, endS } = read as Partial<Record<keyof LoopRange, unknown>>
  return typeof on === 'boolean' && typeof startS === 'number' && typeof endS === 'number'
}

function settingsOf(read: unknown): Partial<MakerSettings> {
  if (typeof read !== 'object' || read === null) return {}
  const values = read as Partial<Record<keyof MakerSettings, unknown>>
  return Object.fromEntries(SETTINGS.flatMap((name) => (typeof values[name] === 'number' ? [[name, values[name]]] : [])))
}
