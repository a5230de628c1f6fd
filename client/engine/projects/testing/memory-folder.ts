import type { ProjectFolder } from '../project-folder.ts'
import type { ProjectLocks } from '../project-locks.ts'

/** The files of a simulated disk, which outlives the tabs. */
export type SimulatedDisk = Map<string, string | Uint8Array>

/** Thrown by every call of a tab that was killed. */
export class TabKilledError extends Error {}

/** A tab of the simulated browser. */
export interface SimulatedTab {
  /** The number of steps on the disk after which the tab is killed. */
  stepsLeft: number
  /** The number of steps after which one write fails because the disk is full. */
  stepsToFull: number
  /** The functions that release the locks of the tab. */
  readonly releases: Set<() => void>
}

export const createTab = (stepsLeft = Number.POSITIVE_INFINITY, stepsToFull = Number.POSITIVE_INFINITY): SimulatedTab => ({
  stepsLeft,
  stepsToFull,
  releases: new Set(),
})

/** Counts a step of a tab. If the tab has no step left, it is killed before this one. Returns whether the disk is full in this step. */
function countStep(tab: SimulatedTab): boolean {
  if (tab.stepsLeft <= 0) {
    for (const release of tab.releases) release()
    throw new TabKilledError()
  }
  tab.stepsLeft -= 1
  tab.stepsToFull -= 1
  return tab.stepsToFull === 0
}

const missingFileError = () => new DOMException('no such file', 'NotFoundError')

/**
 * A folder in memory. A write takes three steps: it creates an empty file, writes half of the content, and writes the rest. The tab can be
 * killed between any two steps.
 */
export function createMemoryFolder(disk: SimulatedDisk, tab: SimulatedTab): ProjectFolder {
  return {
    async names() {
      countStep(tab)
      return [...disk.keys()]
    },
    async read(name) {
      countStep(tab)
      const content = disk.get(name)
      if (content === undefined) throw missingFileError()
      return new Blob([content as BlobPart])
    },
    async write(name, content) {
      const bytes = content instanceof Blob ? new Uint8Array(await content.arrayBuffer()) : content
      for (const share of [0, 0.5, 1]) {
        if (countStep(tab)) throw new DOMException('full', 'QuotaExceededError')
        disk.set(name, bytes.slice(0, Math.floor(share * bytes.length)))
      }
    },
    async remove(name) {
      countStep(tab)
      if (!disk.delete(name)) throw missingFileError()
    },
    async move(name, target, newName) {
      countStep(tab)
      const content = disk.get(name)
      if (content === undefined) throw missingFileError()
      await target.write(newName, new Blob([content as BlobPart]))
      countStep(tab)
      disk.delete(name)
    },
  }
}

/** The locks of a simulated browser. */
export function createMemoryLocks() {
  const takenLocks = new Set<string>()
  let queue: Promise<unknown> = Promise.resolve()
  return (tab: SimulatedTab): ProjectLocks => ({
    exclusive(work) {
      const result = queue.then(work)
      queue = result.catch(() => {})
      return result
    },
    async take(id) {
      if (takenLocks.has(id)) return undefined
      takenLocks.add(id)
      const release = () => {
        takenLocks.delete(id)
        tab.releases.delete(release)
      }
      tab.releases.add(release)
      return release
    },
  })
}
