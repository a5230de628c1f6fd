import { PRESET_CHANGES_MAX, PRESETS_MAX } from '../../../contract/preset-rules.ts'
import type { MakerPreset } from '../../../contract/presets.ts'
import type { MakerSettings } from '../../engine/engine.ts'
import type { AccountApi } from '../../platform/api.ts'
import { localStore } from '../../platform/web-storage.ts'
import { createEmitter } from '../../primitives/emitter.ts'
import { addListener } from '../../primitives/scope.ts'
import type { Preset } from './presets.ts'

/** A preset of an account as this device stores it. `settings` is `null` if the preset was deleted. */
interface PresetRow {
  readonly name: string
  readonly settings: MakerSettings | null
  readonly changedAtMs: number
  /** Whether the server has this change. */
  readonly isSent: boolean
}

/** The key of the presets that earlier versions stored for all accounts of the device. */
const EARLIER_STORAGE_KEY = 'varispeed.presets'
const createStorageKey = (uid: string) => `${EARLIER_STORAGE_KEY}.${uid}`
/** The assumed age of presets of earlier versions, whose time of change is unknown. Changes with a known time replace them. */
const EARLIER_PRESET_AGE_MS = 300 * 24 * 3_600_000

const NO_ROWS: readonly PresetRow[] = []
const NO_PRESETS: readonly Preset[] = []
const changeEmitter = createEmitter()

let cachedPresets: { key: string; text: string | null; rows: readonly PresetRow[]; presets: readonly Preset[] } = {
  key: '',
  text: null,
  rows: NO_ROWS,
  presets: NO_PRESETS,
}
/** The rows of this page if localStorage refuses writes. They are lost when the page is closed. */
const rowsByStorageKey = new Map<string, readonly PresetRow[]>()

const isNumberValue = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

function isPreset(storedValue: unknown): storedValue is Preset {
  if (typeof storedValue !== 'object' || storedValue === null || !('name' in storedValue) || !('settings' in storedValue)) return false
  const { name, settings } = storedValue
  if (typeof name !== 'string' || typeof settings !== 'object' || settings === null) return false
  return (['speed', 'pitch', 'reverbSize', 'reverbAmount', 'bassDb'] as const).every((key) => isNumberValue(Reflect.get(settings, key)))
}

function isPresetRow(storedValue: unknown): storedValue is PresetRow {
  if (typeof storedValue !== 'object' || storedValue === null || !('changedAtMs' in storedValue) || !isNumberValue(storedValue.changedAtMs))
    return false
  return (
    isPreset(storedValue) ||
    ('name' in storedValue && typeof storedValue.name === 'string' && 'settings' in storedValue && storedValue.settings === null)
  )
}

function readPresets(uid: string): typeof cachedPresets {
  const storageKey = createStorageKey(uid)
  const storedText = localStore.read(storageKey)
  const memoryRows = rowsByStorageKey.get(storageKey)
  if (cachedPresets.key !== storageKey || cachedPresets.text !== storedText || (memoryRows && cachedPresets.rows !== memoryRows)) {
    const storedRows = localStore.readJson(storageKey)
    const rows = memoryRows ?? (Array.isArray(storedRows) ? storedRows.filter(isPresetRow) : NO_ROWS)
    const presets = rows.flatMap(({ name, settings }) => (settings === null ? [] : [{ name, settings }]))
    cachedPresets = { key: storageKey, text: storedText, rows, presets: presets.length > 0 ? presets : NO_PRESETS }
  }
  return cachedPresets
}

function writePresets(uid: string, rows: readonly PresetRow[]): void {
  const storageKey = createStorageKey(uid)
  if (localStore.write(storageKey, JSON.stringify(rows))) rowsByStorageKey.delete(storageKey)
  else rowsByStorageKey.set(storageKey, rows)
  changeEmitter.emit()
}

/** Returns the presets of an account on this device, in the order of their last changes. Returns the same array until a preset changes. */
export const readOwnPresets = (uid: string): readonly Preset[] => readPresets(uid).presets

/** Calls `listener` after each change, also of other tabs. Returns the function that unsubscribes it. */
export function subscribeToOwnPresets(listener: () => void): () => void {
  const unsubscribe = changeEmitter.subscribe(listener)
  // `storage` events report writes of other tabs.
  const stopListening = addListener(window, 'storage', listener)
  return () => {
    unsubscribe()
    stopListening()
  }
}

/** Stores presets, replacing presets of the same names. A preset whose settings are `null` is stored as deleted. */
export function changeOwnPresets(uid: string, presetChanges: readonly Pick<PresetRow, 'name' | 'settings'>[]): void {
  const changedNames = new Set(presetChanges.map(({ name }) => name))
  const changedAtMs = Date.now()
  writePresets(uid, [
    ...readPresets(uid).rows.filter(({ name }) => !changedNames.has(name)),
    ...presetChanges.map(({ name, settings }) => ({ name, settings, changedAtMs, isSent: false })),
  ])
}

/** Adds the presets that earlier versions stored to this account, because it is the first account that opens the maker. */
export function adoptEarlierPresets(uid: string): void {
  const earlierPresets = localStore.readJson(EARLIER_STORAGE_KEY)
  if (earlierPresets === undefined) return
  const { rows } = readPresets(uid)
  const adoptedRows = (Array.isArray(earlierPresets) ? earlierPresets.filter(isPreset) : [])
    .filter(({ name }) => !rows.some((row) => row.name === name))
    .map(({ name, settings }) => ({ name, settings, changedAtMs: Date.now() - EARLIER_PRESET_AGE_MS, isSent: false }))
  writePresets(uid, [...adoptedRows, ...rows])
  localStore.write(EARLIER_STORAGE_KEY, undefined)
}

const toApiSettings = ({ speed, pitch, reverbSize, reverbAmount, bassDb }: MakerSettings): MakerPreset['settings'] => ({
  speed,
  pitch,
  reverb_size: reverbSize,
  reverb_amount: reverbAmount,
  bass_db: bassDb,
})

const toPresetRow = ({ name, settings, changed_at }: MakerPreset): PresetRow => ({
  name,
  settings: {
    speed: settings.speed,
    pitch: settings.pitch,
    reverbSize: settings.reverb_size,
    reverbAmount: settings.reverb_amount,
    bassDb: settings.bass_db,
  },
  changedAtMs: Date.parse(changed_at),
  isSent: true,
})

let lastSync: Promise<unknown> = Promise.resolve()

/**
 * Sends the changes of this device, and stores the account's presets from the response. A change made during the call is kept and sent by a
 * further call. Rejects with the error of the call.
 */
export function syncOwnPresets(api: AccountApi, uid: string): Promise<void> {
  // The calls run one after the other, so that no response overwrites that of a later call.
  const sync = lastSync.then(() => sendAndReceivePresets(api, uid))
  lastSync = sync.catch(() => {})
  return sync
}

async function sendAndReceivePresets(api: AccountApi, uid: string): Promise<void> {
  for (;;) {
    const sentRows = readPresets(uid)
      .rows.filter(({ isSent }) => !isSent)
      .slice(0, PRESET_CHANGES_MAX)
    const presetsResponse = await api.call('POST /make/presets', {
      changes: sentRows.map(({ name, settings, changedAtMs }) => ({
        name,
        settings: settings && toApiSettings(settings),
        changed_at: new Date(changedAtMs).toISOString(),
      })),
    })
    const isSamePresetRow = (a: PresetRow, b: PresetRow) => a.name === b.name && a.changedAtMs === b.changedAtMs
    const unsentRows = readPresets(uid).rows.filter((row) => !row.isSent && !sentRows.some((each) => isSamePresetRow(each, row)))
    const receivedRows = presetsResponse.map(toPresetRow).filter(({ name }) => !unsentRows.some((row) => row.name === name))
    const rows = [...receivedRows, ...unsentRows]
    if (JSON.stringify(rows) !== JSON.stringify(readPresets(uid).rows)) writePresets(uid, rows)
    if (unsentRows.length === 0) return
  }
}

/** Whether there is room for `count` more presets. */
export const hasRoomForPresets = (presets: readonly Preset[], count: number): boolean => presets.length + count <= PRESETS_MAX
