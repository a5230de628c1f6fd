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
  const data = createBatchData(store)
  const batchLock = createBatchLock(ownerId)
  const batchRunner = createBatchRunner({ data, hooks, workerCount, onProgress: progressChanged.emit })

  /** Reads the stored batch. If another tab has it, this tab reads it after the other one has released it. */
  async function openStoredBatch(): Promise<void> {
    if ((await store.load()) === undefined || data.isClosed) return data.setRecord(undefined, { phase: 'empty' })
    if (!(await batchLock.take())) {
      data.show({ phase: 'elsewhere' })
      void batchLock.whenFree().then(() => (data.isClosed ? undefined : openStoredBatch()))
      return
    }
    // Reads the batch again now that this tab has the lock: the tab that had the lock before may have saved or removed the batch since the
    // first read.
    const storedRecord = await store.load()
    if (storedRecord === undefined) {
      batchLock.release()
      return data.setRecord(undefined, { phase: 'empty' })
    }
    data.setRecord(await restoreRecord(storedRecord, store), {})
    data.show({ phase: data.restingPhase() })
  }
  const openPromise = openStoredBatch()

  function showRestingPhase() {
    if (data.state.phase === 'paused' || data.state.phase === 'ended') data.show({ phase: data.restingPhase() })
  }

  return {
    getSnapshot: () => data.state,
    subscribe: data.subscribe,
    onProgress: progressChanged.subscribe,
    async start(inputFiles, plan, folder) {
      await openPromise
      if (data.state.phase !== 'empty' || inputFiles.length === 0) return
      // A batch that another tab has started since the check is not replaced.
      if (!(await batchLock.take()) || (await store.load()) !== undefined) return openStoredBatch()
      const batchItems = inputFiles.map(toItem)
      for (const [index, { file }] of inputFiles.entries()) data.files.set(batchItems[index]?.id ?? '', file)
      data.setRecord({ plan, items: batchItems, folder, zip: { entries: [], endOffset: 0 } }, {})
      await data.save({})
      await batchRunner.run()
    },
    async resume() {
      const { record, state } = data
      if (record === undefined || state.phase !== 'paused') return
      if (await requestPermissions(record)) await batchRunner.run()
      else data.show({ problem: 'refused' })
    },
    provide(inputFiles) {
      for (const { file } of inputFiles) {
        const item = data.record?.items.find((each) => data.isMissing(each) && each.name === file.name && each.bytes === file.size)
        if (item !== undefined) data.files.set(item.id, file)
      }
      data.show()
    },
    replaceFolder(folder) {
      void data.save({ folder })
      data.show({ problem: undefined })
    },
    async retry(itemId) {
      await data.saveItem(itemId, { state: 'waiting', failure: undefined })
      showRestingPhase()
    },
    cancel(itemId) {
      const itemState = data.findItem(itemId)?.state
      if (itemState === 'running') batchRunner.cancelSong()
      if (itemState === 'waiting') void data.saveItem(itemId, { state: 'cancelled' })
      showRestingPhase()
    },
    cancelAll() {
      const cancelledItems = data.record?.items.map((item) => (item.state === 'waiting' ? { ...item, state: 'cancelled' as const } : item))
      if (cancelledItems !== undefined) void data.save({ items: cancelledItems })
      batchRunner.cancelSong()
      showRestingPhase()
    },
    async readZip() {
      if (data.state.phase !== 'ended' || data.record?.folder !== undefined) return undefined
      const zip = await store.readZip()
      return zip?.slice(0, zip.size, 'application/zip')
    },
    async clear() {
      if (data.state.phase !== 'paused' && data.state.phase !== 'ended') return
      await batchRunner.whenIdle()
      data.files.clear()
      await store.clear()
      batchLock.release()
      data.setRecord(undefined, { phase: 'empty' })
    },
    dispose() {
      data.close()
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
