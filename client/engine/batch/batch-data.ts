import { createEmitter } from '../../primitives/emitter.ts'
import type { BatchItem, BatchState } from '../engine.ts'
import type { BatchRecord, BatchStore, StoredItem } from './batch-store.ts'

export type BatchData = ReturnType<typeof createBatchData>

const EMPTY_STATE: BatchState = { phase: 'empty', items: [], plan: undefined, folderName: undefined, problem: undefined }

/**
 * Holds three things of a batch: its record, which is stored at every change; the state that pages observe; and the files that this page
 * can read.
 */
export function createBatchData(store: BatchStore) {
  const stateChanged = createEmitter()
  /** The files that this page can read, by the ids of their songs. */
  const fileByItemId = new Map<string, File>()
  let record: BatchRecord | undefined
  let batchState: BatchState = { ...EMPTY_STATE, phase: 'opening' }
  let isBatchClosed = false

  /** A waiting song is missing if it was a file of an earlier page, of which neither a handle nor a copy was stored. */
  const isMissing = ({ id, state: itemState, source }: BatchItem) => itemState === 'waiting' && source === 'page' && !fileByItemId.has(id)

  function showState(stateChanges: Partial<BatchState> = {}) {
    if (record === undefined) batchState = { ...EMPTY_STATE, ...stateChanges }
    else {
      const items = record.items.map(({ handle, root, ...item }) => ({ ...item, isMissing: isMissing(item) }))
      batchState = { ...batchState, items, plan: record.plan, folderName: record.folder?.name, ...stateChanges }
    }
    if (!isBatchClosed) stateChanged.emit()
  }

  async function saveRecord(recordChanges: Partial<BatchRecord>) {
    if (record === undefined) return
    record = { ...record, ...recordChanges }
    showState()
    await store.save(record)
  }

  return {
    store,
    files: fileByItemId,
    get state() {
      return batchState
    },
    get record() {
      return record
    },
    /** Replaces the record in memory, without storing the new one. */
    setRecord(newRecord: BatchRecord | undefined, stateChanges: Partial<BatchState>) {
      record = newRecord
      showState(stateChanges)
    },
    subscribe: stateChanged.subscribe,
    /** Changes the state, and updates the part of the state that is derived from the record. */
    show: showState,
    save: saveRecord,
    saveItem: (id: string, changes: Partial<StoredItem>) =>
      saveRecord({ items: record?.items.map((item) => (item.id === id ? { ...item, ...changes } : item)) ?? [] }),
    findItem: (id: string) => record?.items.find((item) => item.id === id),
    isMissing,
    /** Returns the next song that can be exported. */
    nextItem: () => record?.items.find((item) => item.state === 'waiting' && !isMissing(item)),
    restingPhase: () => (record?.items.some((item) => item.state === 'waiting') ? ('paused' as const) : ('ended' as const)),
    async readSong(item: StoredItem): Promise<File | undefined> {
      const file = fileByItemId.get(item.id) ?? (await item.handle?.getFile().catch(() => undefined)) ?? (await store.readCopy(item.id))
      return file?.size === item.bytes ? file : undefined
    },
    get isClosed() {
      return isBatchClosed
    },
    /** After this call, no listener is called. */
    close() {
      isBatchClosed = true
    },
  }
}
