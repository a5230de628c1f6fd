import { useMatch } from '@tanstack/react-router'
import { useChangeToast } from '../../components/use-change-toast.ts'
import { createArtistPath, createSongPath } from '../../hooks/paths.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { formatCount, formatPlural, MONTH_NAMES } from '../../ui/format.ts'
import { SectionHeading } from '../../ui/section-heading.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { EmptyState } from '../../ui/states.tsx'
import { useToast } from '../../ui/toast.tsx'
import typeStyles from '../../ui/type.module.css'
import { type ShownYear, useClearYear, useYear } from './use-year.ts'
import { useYearPicture } from './use-year-picture.ts'
import styles from './year.module.css'
import { PICTURE_HEIGHT, PICTURE_WIDTH } from './year-picture.ts'
import type { YearSummary } from './year-summary.ts'

/** The time in milliseconds for which the Undo button is shown. */
const UNDO_OFFERED_MS = 10_000
const TOP_LIST_LENGTH = 10

/** The page that summarises the songs played on this device in a year. */
export function YearPage() {
  // The page itself validates the parameter for the year, because every page loads the code with which routes validate parameters.
  const yearText = useMatch({ strict: false, select: ({ search }) => ('y' in search ? search.y : undefined) })
  const shownYear = useYear(typeof yearText === 'string' ? yearText : undefined)
  return (
    <div className={classNames(typeStyles.wrap, styles.page)}>
      <SectionHeading level={1}>Your year</SectionHeading>
      <p className={classNames(typeStyles.muted, typeStyles.prose)}>
        Played on this device only: nothing of it is sent. It is cleared with the <a href="/recent">history</a>, and when you sign out.
      </p>
      {!shownYear ? (
        <SkeletonRows count={8} />
      ) : shownYear.years.length === 0 ? (
        <EmptyState
          title="Nothing counted yet"
          text="Songs that you play on this device are counted from now on: the minutes, songs and artists of each year."
          action={<Button to="/playlists">Browse playlists</Button>}
        />
      ) : (
        <YearContent shown={shownYear} />
      )}
    </div>
  )
}

const formatMinutes = (heardMs: number) => (heardMs < 60_000 ? 'under 1 min' : `${formatCount(Math.floor(heardMs / 60_000))} min`)

function YearContent({ shown: shownYear }: { shown: ShownYear }) {
  const { year, years, summary } = shownYear
  return (
    <>
      {years.length > 1 && (
        <nav aria-label="Years" className={styles.years}>
          {years.map((shownYear) => (
            <a key={shownYear} href={`/year?y=${shownYear}`} className={styles.year} aria-current={shownYear === year ? 'page' : undefined}>
              {shownYear}
            </a>
          ))}
        </nav>
      )}
      <section className={styles.columns} aria-label={year}>
        <div className={styles.figuresColumn}>
          <h2 className={classNames(typeStyles.head, typeStyles.d2)}>{year}</h2>
          <YearFigures summary={summary} />
          <MonthList summary={summary} />
        </div>
        <YearPicture shown={shownYear} />
      </section>
      <div className={styles.lists}>
        <section>
          <SectionHeading>Songs</SectionHeading>
          <ol className={styles.rows} aria-label="Songs">
            {summary.songs.slice(0, TOP_LIST_LENGTH).map(({ songId, title, artist, ...listeningTime }) => (
              <YearListRow key={songId} linkPath={createSongPath(songId)} songOrArtistName={title} {...listeningTime}>
                {artist}
              </YearListRow>
            ))}
          </ol>
        </section>
        <section>
          <SectionHeading>Artists</SectionHeading>
          <ol className={styles.rows} aria-label="Artists">
            {summary.artists.slice(0, TOP_LIST_LENGTH).map(({ name, ...listened }) => (
              <YearListRow key={name} linkPath={createArtistPath(name)} songOrArtistName={name} {...listened} />
            ))}
          </ol>
        </section>
      </div>
      {summary.hasOtherSongs && (
        <p className={typeStyles.muted}>
          Of each month the 300 songs that you heard longest are counted by name, the others only in the sums.
        </p>
      )}
      <ClearYear year={year} />
    </>
  )
}

function YearFigures({ summary }: { summary: YearSummary }) {
  const yearFigures = [
    ['Minutes', summary.minutes],
    ['Songs', summary.songs.length],
    ['Artists', summary.artists.length],
    ['Plays', summary.playCount],
  ] as const
  return (
    <dl className={styles.figures}>
      {yearFigures.map(([figureLabel, figureValue]) => (
        <div key={figureLabel}>
          <dt className={typeStyles.legend}>{figureLabel}</dt>
          <dd className={typeStyles.figure}>{formatCount(figureValue)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** A chart of the months, from the first to the last with listening times. */
function MonthList({ summary: { months } }: { summary: YearSummary }) {
  const longestMonthMs = Math.max(1, ...months.map(({ heardMs }) => heardMs))
  const isMonthHeard = ({ heardMs, playCount }: YearSummary['months'][number]) => heardMs > 0 || playCount > 0
  const firstHeardMonthIndex = months.findIndex(isMonthHeard)
  return (
    <table className={styles.months}>
      <thead className={typeStyles.legend}>
        <tr>
          <th scope="col">Month</th>
          <th scope="col">Minutes</th>
          <th scope="col">Plays</th>
        </tr>
      </thead>
      <tbody>
        {months.slice(firstHeardMonthIndex, months.findLastIndex(isMonthHeard) + 1).map(({ heardMs, minutes, playCount }, index) => (
          <tr key={MONTH_NAMES[firstHeardMonthIndex + index]}>
            <th scope="row">{MONTH_NAMES[firstHeardMonthIndex + index]}</th>
            <td className={typeStyles.mono}>
              <span className={styles.bar} style={{ width: `${(100 * heardMs) / longestMonthMs}%` }} />
              {formatCount(minutes)}
            </td>
            <td className={typeStyles.mono}>{formatCount(playCount)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface YearListRowProps {
  linkPath: string
  songOrArtistName: string
  heardMs: number
  playCount: number
  children?: string
}

function YearListRow({ linkPath: path, songOrArtistName: name, heardMs, playCount, children }: YearListRowProps) {
  return (
    <li className={styles.row}>
      <span className={styles.names}>
        <a className={styles.name} href={path} dir="auto">
          {name}
        </a>
        {children !== undefined && (
          <span className={typeStyles.muted} dir="auto">
            {children}
          </span>
        )}
      </span>
      <span className={classNames(typeStyles.mono, styles.heard)}>
        {formatMinutes(heardMs)} <span className={typeStyles.muted}>{formatPlural(playCount, 'play')}</span>
      </span>
    </li>
  )
}

function YearPicture({ shown: shownYear }: { shown: ShownYear }) {
  const { canvas, canShare, share, download } = useYearPicture(shownYear)
  const toast = useToast()
  const reportFailure = () => toast({ text: 'The picture could not be made.', kind: 'bad' })
  return (
    <div className={styles.picture}>
      <canvas
        ref={canvas}
        width={PICTURE_WIDTH}
        height={PICTURE_HEIGHT}
        className={styles.canvas}
        role="img"
        aria-label={`The picture to share: your minutes, songs and months of ${shownYear.year}`}
      />
      <div className={styles.buttons}>
        {canShare && (
          <Button variant="primary" icon="share" onClick={() => void share().catch(reportFailure)}>
            Share picture
          </Button>
        )}
        <Button variant={canShare ? 'secondary' : 'primary'} icon="download" onClick={() => void download().catch(reportFailure)}>
          Download picture
        </Button>
      </div>
    </div>
  )
}

function ClearYear({ year }: { year: string }) {
  const clearYear = useClearYear()
  const toast = useChangeToast()
  const reportFailure = () => toast({ text: 'This device could not store the change.', kind: 'bad' })
  const clearAndOfferUndo = () =>
    clearYear(year).then(
      (undoClear) =>
        toast({
          text: `${year} is cleared.`,
          kind: 'good',
          durationMs: UNDO_OFFERED_MS,
          action: { label: 'Undo', onSelect: () => void undoClear().catch(reportFailure) },
        }),
      reportFailure,
    )
  return (
    <div>
      <Button variant="tertiary" icon="trash" onClick={() => void clearAndOfferUndo()}>
        Clear {year}
      </Button>
    </div>
  )
}
