import type { Database, SqlTypes } from '../storage/database.ts'

/** A client's report of a song's length. `day` is the day whose salt the client id was made with. */
interface DurationReportsTable {
  song_id: string
  client_id: string
  day: number
  duration: number
}

/** The length of a song without an imported length, as enough players reported it. */
interface LearnedDurationsTable {
  song_id: string
  duration: number
}

declare module '../storage/schema.ts' {
  interface Tables {
    duration_reports: DurationReportsTable
    learned_durations: LearnedDurationsTable
  }
}

export const createDurationTables = ({ text }: SqlTypes): string[] => [
  `create table duration_reports (
    song_id ${text} not null, client_id ${text} not null, day integer not null, duration integer not null,
    primary key (song_id, client_id))`,
  `create table learned_durations (song_id ${text} primary key, duration integer not null)`,
]

/** Number of distinct clients that must agree on a song's length within a UTC day. */
const MIN_AGREEING_CLIENTS = 3
/** The largest difference in seconds between lengths that agree. */
const LENGTH_TOLERANCE_S = 2
/** Maximum number of clients whose reports of a song's length are stored per day. */
const REPORTERS_MAX = 50
const SHORTEST_SONG_S = 30
const LONGEST_SONG_S = 4 * 3600

interface DurationReport {
  songId: string
  clientId: string
  /** Days since the epoch, UTC. */
  day: number
  durationS: number
}

/**
 * Stores a client's report of the length of a song without an imported length, in place of the client's earlier report. Once enough clients agree,
 * stores the song's length. Implausible lengths are ignored.
 */
export async function storeDurationReport(database: Database, { songId, clientId, day, durationS }: DurationReport): Promise<void> {
  const durationSeconds = Math.round(durationS)
  if (!(durationSeconds >= SHORTEST_SONG_S && durationSeconds <= LONGEST_SONG_S)) return
  const reportedRows = await database.write(async (queries) => {
    const songReports = queries
      .selectFrom('duration_reports')
      .select('duration')
      .where('song_id', '=', songId)
      .where('day', '=', day)
      .orderBy('duration')
    if ((await songReports.execute()).length >= REPORTERS_MAX) return []
    await queries
      .insertInto('duration_reports')
      .values({ song_id: songId, client_id: clientId, day, duration: durationSeconds })
      .onConflict((conflict) => conflict.columns(['song_id', 'client_id']).doUpdateSet({ day, duration: durationSeconds }))
      .execute()
    return songReports.execute()
  })
  const agreedSeconds = findAgreedDuration(reportedRows.map((row) => row.duration))
  if (agreedSeconds === undefined) return
  await database.writeWithRevision(async (queries) => {
    await queries
      .insertInto('learned_durations')
      .values({ song_id: songId, duration: agreedSeconds })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    await queries.deleteFrom('duration_reports').where('song_id', '=', songId).execute()
  })
}

/** Returns the median of the lowest `MIN_AGREEING_CLIENTS` lengths that agree; `undefined` if fewer do. `reportedSeconds` are in ascending order. */
function findAgreedDuration(reportedSeconds: readonly number[]): number | undefined {
  const lowestIndex = reportedSeconds.findIndex(
    (low, index) => (reportedSeconds[index + MIN_AGREEING_CLIENTS - 1] ?? Number.POSITIVE_INFINITY) - low <= LENGTH_TOLERANCE_S,
  )
  return lowestIndex < 0 ? undefined : reportedSeconds[lowestIndex + Math.floor(MIN_AGREEING_CLIENTS / 2)]
}
