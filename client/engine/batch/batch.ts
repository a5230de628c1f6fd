import { createEmitter } from '../../primitives/emitter.ts'
import { createUniqueId } from '../../primitives/unique-id.ts'
import type { Batch, BatchHooks, BatchInput, BatchProgress } from '../engine.ts'
import { createBatchData } from './batch-data.ts'
import { createBatchLock } from './batch-lock.ts'
import { createBatchRunner } from './batch-runner.ts'
import { type BatchRecord, type BatchStore, createBatchStore, type StoredItem } from './batch-store.ts'

export interface BatchDeps {
  readonly ownerId: string
  readonly hooks: BatchHooks
  readonly workerCount?: number | undefined
  readonly store?: BatchStore
}

export function createBatch({ ownerId, hooks, workerCount, store = createBatchStore(ownerId) }: BatchDeps): Batch {
  const progressChanged = createEmitter<BatchProgress>()
  const batchData = createBatchData(store)
  const batchLock = createBatchLock(ownerId)
  const batchRunner = createBatchRunner({ data: batchData, hooks, workerCount, onProgress: progressChanged.emit })

  /** Reads the stored batch. If another tab has it, this tab reads it after the other one has released it. */
  async function openStoredBatch(): Promise<void> {
    if ((await store.load()) === undefined || batchData.isClosed) return batchData.setRecord(undefined, { phase: 'empty' })
    if (!(await batchLock.take())) {
      batchData.show({ phase: 'elsewhere' })
      void batchLock.whenFree().then(() => (batchData.isClosed ? undefined : openStoredBatch()))
      return
    }
    // Reads the batch again now that this tab has the lock: the tab that had the lock before may have saved or removed the batch since the
    // first read.
    const storedRecord = await store.load()
    if (storedRecord === undefined) {
      batchLock.release()
      return batchData.setRecord(undefined, { phase: 'empty' })
    }
    batchData.setRecord(await restoreRecord(storedRecord, store), {})
    batchData.show({ phase: batchData.restingPhase() })
  }
  const openPromise = openStoredBatch()

  function showRestingPhase() {
    if (batchData.state.phase !== 'paused' && batchData.state.phase !== 'ended') return
    const phase = batchData.restingPhase()
    batchData.show(phase === 'ended' ? { phase, problem: undefined } : { phase })
  }

  return {
    getSnapshot: () => batchData.state,
    subscribe: batchData.subscribe,
    onProgress: progressChanged.subscribe,
    async start(inputFiles, plan, folder) {
      await openPromise
      if (batchData.state.phase !== 'empty' || inputFiles.length === 0) return
      // A batch that another tab has started since the check is not replaced.
      if (!(await batchLock.take()) || (await store.load()) !== undefined) return openStoredBatch()
      const batchItems = inputFiles.map(toItem)
      for (const [index, { file }] of inputFiles.entries()) batchData.files.set(batchItems[index]?.id ?? '', file)
      batchData.setRecord({ plan, items: batchItems, folder, zip: { entries: [], endOffset: 0 } }, {})
      await batchData.save({})
      await batchRunner.run()
    },
    async resume() {
      const { record, state } = batchData
      if (record === undefined || state.phase !== 'paused') return
      if (await requestPermissions(record)) await batchRunner.run()
      else batchData.show({ problem: 'refused' })
    },
    provide(inputFiles) {
      for (const { file } of inputFiles) {
        const item = batchData.record?.items.find(
          (each) => batchData.isMissing(each) && each.name === file.name && each.bytes === file.size,
        )
        if (item !== undefined) batchData.files.set(item.id, file)
      }
      batchData.show()
    },
    replaceFolder(folder) {
      // In the new folder, a reserved name may belong to a file of the person.
      const items = batchData.record?.items.map((item) =>
        item.state === 'done' ? item : { ...item, fileName: undefined, videoName: undefined },
      )
      if (items !== undefined) void batchData.save({ folder, items })
      batchData.show({ problem: undefined })
    },
    async retry(itemId) {
      await batchData.saveItem(itemId, { state: 'waiting', failure: undefined })
      showRestingPhase()
    },
    cancel(itemId) {
      const itemState = batchData.findItem(itemId)?.state
      if (itemState === 'running') batchRunner.cancelSong()
      if (itemState === 'waiting') void batchData.saveItem(itemId, { state: 'cancelled' })
      showRestingPhase()
    },
    cancelAll() {
      const cancelledItems = batchData.record?.items.map((item) =>
        item.state === 'waiting' ? { ...item, state: 'cancelled' as const } : item,
      )
      if (cancelledItems !== undefined) void batchData.save({ items: cancelledItems })
      batchRunner.cancelSong()
      showRestingPhase()
    },
    async readZip() {
      if (batchData.state.phase !== 'ended' || batchData.record?.folder !== undefined) return undefined
      if (!(await batchRunner.complete())) return undefined
      const zip = await store.readZip()
      return zip?.slice(0, zip.size, 'application/zip')
    },
    async clear() {
      if (batchData.state.phase !== 'paused' && batchData.state.phase !== 'ended') return
      await batchRunner.whenIdle()
      batchData.files.clear()
      await store.clear()
      batchLock.release()
      batchData.setRecord(undefined, { phase: 'empty' })
    },
    dispose() {
      batchData.close()
      batchRunner.cancelSong()
      void batchRunner.whenIdle().then(batchLock.release)
    },
  }
}

const toItem = ({ file, folderPath, handle, root }: BatchInput): StoredItem => ({
  id: createUniqueId(),
  name: file.name,
  folderPath,
  bytes: file.size,
  state: 'waiting',
  isMissing: false,
  source: handle !== undefined && root !== undefined ? 'folder' : 'page',
  handle,
  root,
})

/**
 * Returns a stored batch in the state in which it can continue: interrupted songs wait again, and so do songs that were in a ZIP file that
 * was removed. If a page was closed after copying a song and before the next save, a copy exists that the record does not mention.
 */
async function restoreRecord(record: BatchRecord, store: BatchStore): Promise<BatchRecord> {
  const isZipFileLost = record.folder === undefined && ((await store.readZip())?.size ?? 0) < record.zip.endOffset
  const restoreItem = async (item: StoredItem): Promise<StoredItem> => {
    const isItemWaiting = item.state === 'waiting' || item.state === 'running' || (item.state === 'done' && isZipFileLost)
    if (!isItemWaiting) return item
    if (item.source === 'folder') return { ...item, state: 'waiting' }
    const isCopied = (await store.readCopy(item.id))?.size === item.bytes
    return { ...item, state: 'waiting', source: isCopied ? 'copy' : 'page' }
  }
  const items = await Promise.all(record.items.map(restoreItem))
  return { ...record, items, ...(isZipFileLost && { zip: { entries: [], endOffset: 0 } }) }
}

/** The File System Access API, whose permissions end with the page. TypeScript's DOM types lack this method. */
interface PermissionHandle {
  requestPermission?(options: { mode: 'read' | 'readwrite' }): Promise<PermissionState>
}

/** Requests the permissions for the remaining songs of a batch from the person. Returns whether all are granted. */
async function requestPermissions({ folder, items }: BatchRecord): Promise<boolean> {
  const isAccessGranted = async (handle: FileSystemDirectoryHandle & PermissionHandle, mode: 'read' | 'readwrite') =>
    handle.requestPermission === undefined || (await handle.requestPermission({ mode })) === 'granted'
  if (folder !== undefined && !(await isAccessGranted(folder, 'readwrite'))) return false
  const openedRoots: FileSystemDirectoryHandle[] = []
  for (const { root, state } of items) {
    if (root === undefined || state !== 'waiting') continue
    const isKnown = (await Promise.all(openedRoots.map((each) => each.isSameEntry(root)))).includes(true)
    if (!isKnown) openedRoots.push(root)
  }
  for (const root of openedRoots) if (!(await isAccessGranted(root, 'read'))) return false
  return true
}
