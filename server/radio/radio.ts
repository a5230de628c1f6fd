import type { Brand } from '../../brands/brand.ts'
import { type RadioAiring, type RadioProgramme, type Station, stations } from '../../contract/radio.ts'
import type { Song } from '../../contract/song.ts'
import { parseSetting } from '../site/settings.ts'
import type { Storage } from '../storage/open.ts'
import { airingEndMs, createSchedule, type Schedule } from './schedule.ts'
import type { Airing, StationSong, StationSource, StationState } from './store.ts'

/** The programme of a station, without the time of the response and the number of listeners. */
export type StationProgramme = Omit<RadioProgramme, 'server_time' | 'listeners'>

const UPCOMING_COUNT = 5
const HISTORY_COUNT = 20
/** The time for which a station's state is cached: another process, such as the admin command, may advance it. */
const RECHECK_AFTER_MS = 1000
/** If an airing starts more than this many milliseconds in the future, a process with a wrong clock has stored it. */
const CLOCK_TOLERANCE_MS = 60_000

/** The settings that name the sources of the stations' songs. */
const sourceKeys = { main: 'RADIO_MAIN', newcomers: 'RADIO_NEWCOMERS' } as const satisfies Record<Station, string>

type RadioDeps = Pick<Storage, 'radio' | 'revision'> & { settings: Pick<Storage['settings'], 'readForBrand'>; nowMs: () => number }

interface StationMemory {
  /** The revision of the stored data from which the songs were read. */
  revision: number | undefined
  songs: readonly StationSong[]
  /** The ids of the excluded songs, joined into one text that can be compared. */
  excluded: string | undefined
  /** The order of the songs that can be played; `undefined` until it is computed again. */
  schedule: Schedule | undefined
  onAir: StationProgramme | undefined
  endsMs: number
  checkedMs: number
  refresh: Promise<void> | undefined
}

/** The stations of all brands. What they play is a function of the catalogue and of the stored state, so that several processes agree. */
export function createRadio({ radio: store, settings, revision, nowMs }: RadioDeps) {
  const memories = new Map<string, StationMemory>()

  function memoryOf(brand: Brand, station: Station): StationMemory {
    const key = `${brand.id}/${station}`
    const knownMemory = memories.get(key)
    if (knownMemory !== undefined) return knownMemory
    const memory: StationMemory = {
      revision: undefined,
      songs: [],
      excluded: undefined,
      schedule: undefined,
      onAir: undefined,
      endsMs: 0,
      checkedMs: Number.NEGATIVE_INFINITY,
      refresh: undefined,
    }
    memories.set(key, memory)
    return memory
  }

  /** Lists the songs of all sources that a setting names, each song once. */
  async function listSongs(setting: string): Promise<StationSong[]> {
    const lists = await Promise.all(sourcesOf(setting).map((source) => store.listSongs(source)))
    return [...new Map(lists.flat().map((song) => [song.id, song])).values()]
  }

  /** Returns the order of the songs that can be played. */
  async function loadSchedule(brand: Brand, station: Station, memory: StationMemory): Promise<Schedule> {
    const currentRevision = revision()
    if (memory.revision !== currentRevision) {
      const key = sourceKeys[station]
      const text = (await settings.readForBrand(brand.id))[key]
      const value = text === undefined ? undefined : parseSetting(key, text)
      memory.songs = await listSongs(typeof value === 'string' ? value : brand.settings[key])
      // A site's catalogue may lack the categories that the brand's default setting names. The main station then plays all songs.
      if (memory.songs.length === 0 && station === 'main' && value === undefined) memory.songs = await listSongs('all')
      memory.schedule = undefined
      memory.revision = currentRevision
    }
    const excludedIds = new Set(await store.listExcluded())
    const excludedKey = [...excludedIds].toSorted().join()
    if (memory.schedule === undefined || memory.excluded !== excludedKey) {
      const playable = memory.songs.filter(({ id }) => !excludedIds.has(id))
      memory.schedule = createSchedule(`${brand.id}/${station}`, playable)
      memory.excluded = excludedKey
    }
    return memory.schedule
  }

  /** Reads a station's state, advances it to the current time, and builds its programme. */
  async function refreshStation(brand: Brand, station: Station, memory: StationMemory, isSkipped: boolean): Promise<void> {
    let schedule = await loadSchedule(brand, station, memory)
    let missingSongId: string | undefined
    for (;;) {
      const storedState = await store.read(brand.id, station)
      const atMs = nowMs()
      const isEndedEarly = isSkipped || storedState?.airing.songId === missingSongId
      const isRestarted = storedState === undefined || isEndedEarly || storedState.airing.startMs > atMs + CLOCK_TOLERANCE_MS
      const state = advanceTo(atMs, schedule, isRestarted ? stateAfter(storedState, schedule, atMs) : storedState)
      if (state === undefined || state === storedState || (await store.advance(brand.id, station, storedState?.airing, state))) {
        const songs = state === undefined ? [] : upcomingAfter(state, schedule)
        const onAir = state && (await composeOnAir(station, state, songs))
        // The song has been removed from the catalogue since it started.
        if (onAir === undefined && state !== undefined && songs.length > 0 && state.airing.songId !== missingSongId) {
          missingSongId = state.airing.songId
          schedule = await loadSchedule(brand, station, memory)
          continue
        }
        memory.onAir = onAir
        memory.endsMs = state === undefined ? Number.POSITIVE_INFINITY : airingEndMs(state.airing)
        memory.checkedMs = nowMs()
        return
      }
    }
  }

  async function composeOnAir(
    station: Station,
    { airing, history }: StationState,
    upcoming: readonly Airing[],
  ): Promise<StationProgramme | undefined> {
    const songIds = [...new Set([airing, ...history, ...upcoming].map(({ songId }) => songId))]
    const songs = new Map((await store.readSongs(songIds, { newSinceMs: 0 })).map((song) => [song.youtube_id, song]))
    const toAirings = (airings: readonly Airing[]) => airings.flatMap((each) => radioAiring(each, songs.get(each.songId)))
    const song = songs.get(airing.songId)
    const [currentAiring] = toAirings([airing])
    const upcomingAirings = toAirings(upcoming)
    const [nextAiring] = upcomingAirings
    if (song === undefined || currentAiring === undefined || nextAiring === undefined) return undefined
    const { youtube_url, category_id, category_name } = song
    return {
      ...currentAiring,
      youtube_url,
      category_id,
      category_name,
      station,
      next: nextAiring,
      upcoming: upcomingAirings,
      history: toAirings(history),
    }
  }

  function isCurrent(memory: StationMemory): boolean {
    const atMs = nowMs()
    return memory.endsMs > atMs && Math.abs(atMs - memory.checkedMs) < RECHECK_AFTER_MS && memory.revision === revision()
  }

  async function stationOnAir(brand: Brand, station: Station): Promise<StationProgramme | undefined> {
    const memory = memoryOf(brand, station)
    if (isCurrent(memory)) return memory.onAir
    memory.refresh ??= refreshStation(brand, station, memory, false)
      .catch((error: unknown) => {
        // While the database cannot be read, the song that was on air plays to its end.
        if (memory.onAir === undefined || memory.endsMs <= nowMs()) throw error
        memory.checkedMs = nowMs()
      })
      .finally(() => {
        memory.refresh = undefined
      })
    await memory.refresh
    return memory.onAir
  }

  /**
   * Returns the programme of a station, or of the main station if the station has no songs; `undefined` if the main station has no songs either.
   */
  const onAirOf = async (brand: Brand, station: Station): Promise<StationProgramme | undefined> =>
    (await stationOnAir(brand, station)) ?? (station === 'main' ? undefined : stationOnAir(brand, 'main'))

  return {
    /** Returns the programme of a station if it is in memory and current. Does not fall back to the main station. */
    current(brand: Brand, station: Station): StationProgramme | undefined {
      const memory = memoryOf(brand, station)
      return isCurrent(memory) ? memory.onAir : undefined
    },
    onAir: onAirOf,
    /** Whether any station plays a song now, has just played it, or plays it next. */
    async isOnAir(brand: Brand, songId: string): Promise<boolean> {
      const onAir = await Promise.all(stations.map((station) => onAirOf(brand, station)))
      return onAir.some((current) => [current, current?.next, current?.history[0]].some((airing) => airing?.youtube_id === songId))
    },
    /** Ends the song that a station plays, and returns the next one. */
    async skip(brand: Brand, station: Station): Promise<StationProgramme | undefined> {
      const memory = memoryOf(brand, station)
      await memory.refresh
      await refreshStation(brand, station, memory, true)
      return memory.onAir
    },
  }
}
export type RadioStations = ReturnType<typeof createRadio>

export const isStation = (name: string): name is Station => stations.some((station) => station === name)

/** Parses a setting that names the sources of a station's songs. Its format is described in the contract (`site.ts`). */
function sourcesOf(setting: string): StationSource[] {
  return setting.split(/,(?=(?:category|playlist):)/).map((text) => {
    const [kind = '', ...rest] = text.split(':')
    if (kind === 'category' || kind === 'playlist') return { kind, id: rest.join(':') }
    return { kind: kind === 'academy' ? 'academy' : 'all' }
  })
}

/** Returns the state after the next song has started; `undefined` if the station has no songs. */
function stateAfter(state: StationState | undefined, schedule: Schedule, startMs: number): StationState | undefined {
  const previousAirings = state === undefined ? [] : [state.airing, ...state.history]
  const airing = schedule.next(previousAirings, startMs)
  // An airing that starts in the future was stored by a process with a wrong clock, and nobody has listened to it.
  return airing && { airing, history: previousAirings.filter((each) => each.startMs <= startMs).slice(0, HISTORY_COUNT) }
}

/** Returns the state at a time, computed from an earlier state. All rounds have the same length, so that past rounds can be skipped. */
function advanceTo(atMs: number, schedule: Schedule, earlierState: StationState | undefined): StationState | undefined {
  const keptRounds = 1 + Math.ceil(HISTORY_COUNT / schedule.songCount)
  let state = earlierState
  while (state !== undefined && airingEndMs(state.airing) <= atMs) {
    const { round } = state.airing
    state = stateAfter(state, schedule, airingEndMs(state.airing))
    if (state === undefined || state.airing.round === round) continue
    const roundsOver = Math.floor((atMs - state.airing.startMs) / schedule.roundMs) - keptRounds
    const airing =
      roundsOver > 0 ? schedule.firstOf(state.airing.round + roundsOver, state.airing.startMs + roundsOver * schedule.roundMs) : undefined
    if (airing !== undefined) state = { ...state, airing }
  }
  return state
}

function upcomingAfter({ airing, history }: StationState, schedule: Schedule): Airing[] {
  const airings = [airing, ...history]
  while (airings.length < 1 + history.length + UPCOMING_COUNT) {
    const [lastAiring = airing] = airings
    const following = schedule.next(airings, airingEndMs(lastAiring))
    if (following === undefined) break
    airings.unshift(following)
  }
  return airings.slice(0, -1 - history.length).reverse()
}

/** Returns a list with the airing in the form of the API; an empty list if an import has removed the airing's song. */
const radioAiring = ({ startMs, durationS }: Airing, song: Song | undefined): RadioAiring[] =>
  song === undefined
    ? []
    : [
        {
          youtube_id: song.youtube_id,
          title: song.title,
          author_name: song.author_name,
          start_time: new Date(startMs).toISOString(),
          duration: durationS,
        },
      ]
