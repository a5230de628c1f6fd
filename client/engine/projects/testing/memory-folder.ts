import type { ProjectFolder } from '../project-folder.ts'
import type { ProjectLocks } from '../project-locks.ts'

/** The files of a simulated disk, which outlives the tabs. */
export type SimulatedDisk = Map<string, string | Uint8Array>

/** Thrown by every call of a tab that was killed. */
export class TabKilledError extends Error {}

/** A tab of the simulated browser. */
export interface SimulatedTab {
  /** The number of steps on the disk after which the tab is killed. */
  stepsUntilKilled: number
  /** The number of steps after which one write fails because the disk is full. */
  stepsUntilFullDisk: number
  /** The functions that release the locks of the tab. */
  readonly lockReleases: Set<() => void>
}

export const createTab = (killAfterSteps = Number.POSITIVE_INFINITY, stepsUntilDiskFull = Number.POSITIVE_INFINITY): SimulatedTab => ({
  stepsUntilKilled: killAfterSteps,
  stepsUntilFullDisk: stepsUntilDiskFull,
  lockReleases: new Set(),
})

/** Counts a step of a tab. If the tab has no step left, it is killed before this one. Returns whether the disk is full in this step. */
function countStep(tab: SimulatedTab): boolean {
  if (tab.stepsUntilKilled <= 0) {
    for (const release of tab.lockReleases) release()
    throw new TabKilledError()
  }
  tab.stepsUntilKilled -= 1
  tab.stepsUntilFullDisk -= 1
  return tab.stepsUntilFullDisk === 0
}

const createMissingFileError = () => new DOMException('no such file', 'NotFoundError')

/**
 * A folder in memory. A write takes three steps: it creates an empty file, writes half of the content, and writes the rest. The tab can be
 * killed between any two steps.
 */
export function createMemoryFolder(disk: SimulatedDisk, tab: SimulatedTab): ProjectFolder {
  return {
    async listNames() {
      countStep(tab)
      return [...disk.keys()]
    },
    async read(fileName) {
      countStep(tab)
      const content = disk.get(fileName)
      if (content === undefined) throw createMissingFileError()
      return new Blob([content as BlobPart])
    },
    async write(fileName, fileContent) {
      const contentBytes = fileContent instanceof Blob ? new Uint8Array(await fileContent.arrayBuffer()) : fileContent
      for (const share of [0, 0.5, 1]) {
        if (countStep(tab)) throw new DOMException('full', 'QuotaExceededError')
        disk.set(fileName, contentBytes.slice(0, Math.floor(share * contentBytes.length)))
      }
    },
    async remove(fileName) {
      countStep(tab)
      if (!disk.delete(fileName)) throw createMissingFileError()
    },
    async move(fileName, targetFolder, newName) {
      countStep(tab)
      const fileContent = disk.get(fileName)
      if (fileContent === undefined) throw createMissingFileError()
      await targetFolder.write(newName, new Blob([fileContent as BlobPart]))
      countStep(tab)
      disk.delete(fileName)
    },
  }
}

/** The locks of a simulated browser. */
export function createMemoryLocks() {
  const takenLocks = new Set<string>()
  let exclusiveQueue: Promise<unknown> = Promise.resolve()
  return (tab: SimulatedTab): ProjectLocks => ({
    runExclusively(runExclusively) {
      const result = exclusiveQueue.then(runExclusively)
      exclusiveQueue = result.catch(() => {})
      return result
    },
    async takeProjectLock(projectId) {
      if (takenLocks.has(projectId)) return undefined
      takenLocks.add(projectId)
      const releaseLock = () => {
        takenLocks.delete(projectId)
        tab.lockReleases.delete(releaseLock)
      }
      tab.lockReleases.add(releaseLock)
      return releaseLock
    },
  })
}
