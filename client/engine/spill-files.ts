import { SPILL_DIRECTORY } from './render-messages.ts'

/** A place for the spill files of one export, which no sweep takes away while it is held. */
export interface SpillPlace {
  /** The name of the file of worker `worker`. */
  name(worker: number): string
  /** Takes the files away. */
  free(): Promise<void>
}

const lockOf = (id: string) => `${SPILL_DIRECTORY}-${id}`
/** A worker that was ended holds its file for a moment more. */
const REMOVE_TRIES = 20
const REMOVE_AGAIN_MS = 50

/** Undefined where the browser has no locks or no private files: then nothing is spilled. */
export async function holdSpillPlace(): Promise<SpillPlace | undefined> {
  if (navigator.locks === undefined || navigator.storage?.getDirectory === undefined) return undefined
  const id = crypto.randomUUID()
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await new Promise<void>((resolve, reject) => {
    navigator.locks
      .request(lockOf(id), () => {
        resolve()
        return held
      })
      .catch(reject)
  })
  return {
    name: (worker) => `${id}.${worker}`,
    async free() {
      await removeFiles((name) => idOf(name) === id).finally(letGo)
    },
  }
}

/** Takes away what a page that crashed left behind. */
export async function sweepSpillFiles(): Promise<void> {
  if (navigator.locks === undefined || navigator.storage?.getDirectory === undefined) return
  const ids = new Set((await fileNames()).map(idOf))
  for (const id of ids) {
    await navigator.locks.request(lockOf(id), { ifAvailable: true }, async (lock) => {
      if (lock !== null) await removeFiles((name) => idOf(name) === id)
    })
  }
}

const idOf = (name: string) => name.split('.')[0] ?? name

async function directory(): Promise<FileSystemDirectoryHandle | undefined> {
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(SPILL_DIRECTORY)
  } catch {
    return undefined
  }
}

async function fileNames(): Promise<string[]> {
  const names: string[] = []
  for await (const name of (await directory())?.keys() ?? []) names.push(name)
  return names
}

async function removeFiles(isOurs: (name: string) => boolean): Promise<void> {
  const folder = await directory()
  for (const name of (await fileNames()).filter(isOurs)) {
    for (let tries = 1; ; tries++) {
      try {
        await folder?.removeEntry(name)
        break
      } catch {
        // The sweep of a later start has another try.
        if (tries === REMOVE_TRIES) break
        await new Promise((resolve) => setTimeout(resolve, REMOVE_AGAIN_MS))
      }
    }
  }
}
