import { createProjectStore } from '../project-store.ts'
import { createMemoryFolder, createMemoryLocks, createTab, type SimulatedDisk, type SimulatedTab } from './memory-folder.ts'

/** Simulates a browser whose disk keeps its files when tabs are killed. */
export function createSimulatedBrowser() {
  const disk: SimulatedDisk = new Map()
  const earlierDisk: SimulatedDisk = new Map()
  const getTabLocks = createMemoryLocks()
  let nowMs = 1_000_000
  let capacityBytes = Number.POSITIVE_INFINITY
  let refusedWriteCount = 0

  /** Opens the folder of the projects. A file that does not fit on the disk is refused. */
  function openFolder(tab: SimulatedTab) {
    const folder = createMemoryFolder(disk, tab)
    return {
      ...folder,
      async write(fileName: string, content: Blob | string) {
        const usedBytes = [...disk.values()].reduce((sum, { length }) => sum + length, 0)
        const contentBytes = content instanceof Blob ? content.size : content.length
        if (usedBytes + contentBytes > capacityBytes) {
          refusedWriteCount++
          throw new DOMException('full', 'QuotaExceededError')
        }
        await folder.write(fileName, content)
      },
    }
  }

  return {
    disk,
    earlierDisk,
    /** The number of files that did not fit on the disk. */
    get refusedWriteCount() {
      return refusedWriteCount
    },
    openTab: (tab: SimulatedTab = createTab()) =>
      createProjectStore({
        ownerId: 'me',
        openFolder: async () => openFolder(tab),
        openEarlierFolder: async () => createMemoryFolder(earlierDisk, tab),
        locks: getTabLocks(tab),
        nowMs: () => nowMs,
      }),
    passTime(ms: number) {
      nowMs += ms
    },
    setCapacity(bytes: number) {
      capacityBytes = bytes
    },
  }
}

export type SimulatedBrowser = ReturnType<typeof createSimulatedBrowser>
