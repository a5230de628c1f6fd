import type { Brand } from '../../brands/brand.ts'
import { type RadioAiring, type RadioProgramme, type Station, stations } from '../../contract/radio.ts'
import type { Song } from '../../contract/song.ts'
import { parseSetting } from '../site/settings.ts'
import type { Storage } from '../storage/open.ts'
import { computeAiringEndMs, createSchedule, type Schedule } from './schedule.ts'
import type { Airing, StationSong, StationSource, StationState } from './store.ts'

/** The programme of a station, without the time of the response and the number of listeners. */
export type StationProgramme = Omit<RadioProgramme, 'server_time' | 'listeners'>

const UPCOMING_AIRING_COUNT = 5
const HISTORY_AIRING_COUNT = 20
/** The time for which a station's state is cached: another process, such as the admin command, may advance it. */
const STATION_STATE_CACHE_MS = 1000
/** If an airing starts more than this many milliseconds in the future, a process with a wrong clock has stored it. */
const CLOCK_TOLERANCE_MS = 60_000

/** The settings that name the sources of the stations' songs. */
const sourceSettingKeyByStation = { main: 'RADIO_MAIN', newcomers: 'RADIO_NEWCOMERS' } as const satisfies Record<Station, string>

type RadioDeps = Pick<Storage, 'radio' | 'revision'> & { settings: Pick<Storage['settings'], 'readForBrand'>; nowMs: () => number }

interface StationMemory {
  /** The revision of the stored data from which the songs were read. */
  revision: number | undefined
  songs: readonly StationSong[]
  /** The ids of the excluded songs, joined into one text that can be compared. */
  joinedExcludedIds: string | undefined
  /** The order of the songs that can be played; `undefined` until it is computed again. */
  schedule: Schedule | undefined
  onAir: StationProgramme | undefined
  airingEndsMs: number
  lastReadAttemptMs: number
  refreshPromise: Promise<void> | undefined
}

/** The stations of all brands. What they play is a function of the catalogue and of the stored state, so that several processes agree. */
export function createRadio({ radio: radioStore, settings, revision, nowMs }: RadioDeps) {
  const memoryByStation = new Map<string, StationMemory>()

  function findOrCreateMemory(brand: Brand, station: Station): StationMemory {
    const stationKey = `${brand.id}/${station}`
    const knownMemory = memoryByStation.get(stationKey)
    if (knownMemory !== undefined) return knownMemory
    const memory: StationMemory = {
      revision: undefined,
      songs: [],
      joinedExcludedIds: undefined,
      schedule: undefined,
      onAir: undefined,
      airingEndsMs: 0,
      lastReadAttemptMs: Number.NEGATIVE_INFINITY,
      refreshPromise: undefined,
    }
    memoryByStation.set(stationKey, memory)
    return memory
  }

  /** Lists the songs of all sources that a setting names, each song once. */
  async function listSongs(settingText: string): Promise<StationSong[]> {
    const lists = await Promise.all(parseSources(settingText).map((source) => radioStore.listSongs(source)))
    return [...new Map(lists.flat().map((song) => [song.id, song])).values()]
  }

  /** Returns the order of the songs that can be played. */
  async function loadSchedule(brand: Brand, station: Station, memory: StationMemory): Promise<Schedule> {
    const currentRevision = revision()
    if (memory.revision !== currentRevision) {
      const settingKey = sourceSettingKeyByStation[station]
      const settingText = (await settings.readForBrand(brand.id))[settingKey]
      const settingValue = settingText === undefined ? undefined : parseSetting(settingKey, settingText)
      memory.songs = await listSongs(typeof settingValue === 'string' ? settingValue : brand.settings[settingKey])
      // A site's catalogue may lack the categories that the brand's default setting names. The main station then plays all songs.
      if (memory.songs.length === 0 && station === 'main' && settingValue === undefined) memory.songs = await listSongs('all')
      memory.schedule = undefined
      memory.revision = currentRevision
    }
    const excludedIds = new Set(await radioStore.listExcluded())
    const excludedKey = [...excludedIds].toSorted().join()
    if (memory.schedule === undefined || memory.joinedExcludedIds !== excludedKey) {
      const playable = memory.songs.filter(({ id }) => !excludedIds.has(id))
      memory.schedule = createSchedule(`${brand.id}/${station}`, playable)
      memory.joinedExcludedIds = excludedKey
    }
    return memory.schedule
  }

  /** Reads a station's state, advances it to the current time, and builds its programme. */
  async function refreshStation(brand: Brand, station: Station, memory: StationMemory, isSkipped: boolean): Promise<void> {
    let stationSchedule = await loadSchedule(brand, station, memory)
    let missingSongId: string | undefined
    for (;;) {
      const storedState = await radioStore.read(brand.id, station)
      const atMs = nowMs()
      const isEndedEarly = isSkipped || storedState?.airing.songId === missingSongId
      const isRestarted = storedState === undefined || isEndedEarly || storedState.airing.startMs > atMs + CLOCK_TOLERANCE_MS
      const newState = advanceTo(atMs, stationSchedule, isRestarted ? computeStateAfter(storedState, stationSchedule, atMs) : storedState)
      if (
        newState === undefined ||
        newState === storedState ||
        (await radioStore.advance(brand.id, station, storedState?.airing, newState))
      ) {
        const upcomingSongs = newState === undefined ? [] : computeUpcomingAirings(newState, stationSchedule)
        const onAir = newState && (await composeProgramme(station, newState, upcomingSongs))
        // The song has been removed from the catalogue since it started.
        if (onAir === undefined && newState !== undefined && upcomingSongs.length > 0 && newState.airing.songId !== missingSongId) {
          missingSongId = newState.airing.songId
          stationSchedule = await loadSchedule(brand, station, memory)
          continue
        }
        memory.onAir = onAir
        memory.airingEndsMs = newState === undefined ? Number.POSITIVE_INFINITY : computeAiringEndMs(newState.airing)
        memory.lastReadAttemptMs = nowMs()
        return
      }
    }
  }

  async function composeProgramme(
    station: Station,
    { airing, history }: StationState,
    upcoming: readonly Airing[],
  ): Promise<StationProgramme | undefined> {
    const songIds = [...new Set([airing, ...history, ...upcoming].map(({ songId }) => songId))]
    const songById = new Map((await radioStore.readSongs(songIds, { newSinceMs: 0 })).map((song) => [song.youtube_id, song]))
    const toAirings = (airings: readonly Airing[]) => airings.flatMap((each) => toRadioAirings(each, songById.get(each.songId)))
    const song = songById.get(airing.songId)
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

  function isMemoryCurrent(memory: StationMemory): boolean {
    const isRecentlyRead = Math.abs(nowMs() - memory.lastReadAttemptMs) < STATION_STATE_CACHE_MS
    return isRecentlyRead && memory.airingEndsMs > nowMs() && memory.revision === revision()
  }

  async function readStationOnAir(brand: Brand, station: Station): Promise<StationProgramme | undefined> {
    const stationMemory = findOrCreateMemory(brand, station)
    if (isMemoryCurrent(stationMemory)) return stationMemory.onAir
    stationMemory.refreshPromise ??= refreshStation(brand, station, stationMemory, false)
      .catch((error: unknown) => {
        // While the database cannot be read, the song that was on air plays to its end.
        if (stationMemory.onAir === undefined || stationMemory.airingEndsMs <= nowMs()) throw error
        stationMemory.lastReadAttemptMs = nowMs()
      })
      .finally(() => {
        stationMemory.refreshPromise = undefined
      })
    await stationMemory.refreshPromise
    return stationMemory.onAir
  }

  /**
   * Returns the programme of a station, or of the main station if the station has no songs; `undefined` if the main station has no songs either.
   */
  const readOnAir = async (brand: Brand, station: Station): Promise<StationProgramme | undefined> =>
    (await readStationOnAir(brand, station)) ?? (station === 'main' ? undefined : readStationOnAir(brand, 'main'))

  return {
    /** Returns the programme of a station if it is in memory and current. Does not fall back to the main station. */
    current(brand: Brand, station: Station): StationProgramme | undefined {
      const memory = findOrCreateMemory(brand, station)
      return isMemoryCurrent(memory) ? memory.onAir : undefined
    },
    onAir: readOnAir,
    /** Whether any station plays a song now, has just played it, or plays it next. */
    async isOnAir(brand: Brand, songId: string): Promise<boolean> {
      const onAir = await Promise.all(stations.map((station) => readOnAir(brand, station)))
      return onAir.some((current) => [current, current?.next, current?.history[0]].some((airing) => airing?.youtube_id === songId))
    },
    /** Ends the song that a station plays, and returns the next one. */
    async skip(brand: Brand, station: Station): Promise<StationProgramme | undefined> {
      const stationMemory = findOrCreateMemory(brand, station)
      await stationMemory.refreshPromise
      await refreshStation(brand, station, stationMemory, true)
      return stationMemory.onAir
    },
  }
}
export type RadioStations = ReturnType<typeof createRadio>

export const isStationName = (name: string): name is Station => stations.some((station) => station === name)

/** Parses a setting that names the sources of a station's songs. Its format is described in the contract (`site.ts`). */
function parseSources(settingText: string): StationSource[] {
  return settingText.split(/,(?=(?:category|playlist):)/).map((sourceText) => {
    const [kind = '', ...rest] = sourceText.split(':')
    if (kind === 'category' || kind === 'playlist') return { kind, id: rest.join(':') }
    return { kind: kind === 'academy' ? 'academy' : 'all' }
  })
}

/** Returns the state after the next song has started; `undefined` if the station has no songs. */
function computeStateAfter(state: StationState | undefined, schedule: Schedule, startMs: number): StationState | undefined {
  const previousAirings = state === undefined ? [] : [state.airing, ...state.history]
  const airing = schedule.next(previousAirings, startMs)
  // An airing that starts in the future was stored by a process with a wrong clock, and nobody has listened to it.
  return airing && { airing, history: previousAirings.filter((each) => each.startMs <= startMs).slice(0, HISTORY_AIRING_COUNT) }
}

/** Returns the state at a time, computed from an earlier state. All rounds have the same length, so that past rounds can be skipped. */
function advanceTo(atMs: number, schedule: Schedule, earlierState: StationState | undefined): StationState | undefined {
  const retainedRoundCount = 1 + Math.ceil(HISTORY_AIRING_COUNT / schedule.songCount)
  let nextState = earlierState
  while (nextState !== undefined && computeAiringEndMs(nextState.airing) <= atMs) {
    const { round } = nextState.airing
    nextState = computeStateAfter(nextState, schedule, computeAiringEndMs(nextState.airing))
    if (nextState === undefined || nextState.airing.round === round) continue
    const roundsToSkip = Math.floor((atMs - nextState.airing.startMs) / schedule.roundMs) - retainedRoundCount
    const airing =
      roundsToSkip > 0
        ? schedule.firstOf(nextState.airing.round + roundsToSkip, nextState.airing.startMs + roundsToSkip * schedule.roundMs)
        : undefined
    if (airing !== undefined) nextState = { ...nextState, airing }
  }
  return nextState
}

function computeUpcomingAirings({ airing, history }: StationState, schedule: Schedule): Airing[] {
  const programmeAirings = [airing, ...history]
  while (programmeAirings.length < 1 + history.length + UPCOMING_AIRING_COUNT) {
    const [lastAiring = airing] = programmeAirings
    const following = schedule.next(programmeAirings, computeAiringEndMs(lastAiring))
    if (following === undefined) break
    programmeAirings.unshift(following)
  }
  return programmeAirings.slice(0, -1 - history.length).reverse()
}

/** Returns a list with the airing in the form of the API; an empty list if an import has removed the airing's song. */
const toRadioAirings = ({ startMs, durationS }: Airing, song: Song | undefined): RadioAiring[] =>
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
