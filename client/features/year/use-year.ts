import { useCallback, useMemo } from 'react'
import { clearListening, type ListeningRow, readListening, readListeningYears, restoreListening } from '../../data/listening.ts'
import { createLiveQuery } from '../../data/live-query.ts'
import { useLiveQuery } from '../../hooks/live-query.ts'
import { useServices } from '../../hooks/services.tsx'
import { summarizeYear, type YearSummary } from './year-summary.ts'

export interface ShownYear {
  year: string
  /** The years for which this device has listening times, latest first. */
  years: readonly string[]
  summary: YearSummary
}

/**
 * Returns the listening times of a year on this device; `undefined` until they are read. If no year is requested, or one without listening
 * times, the current year is used, else the latest year before it, else the earliest year after it, which can exist because of a wrong
 * clock.
 */
export function useYear(requestedYear: string | undefined): ShownYear | undefined {
  const { database } = useServices()
  const listeningQuery = useMemo(
    () =>
      createLiveQuery(database, async (tables) => {
        const years = await readListeningYears(tables)
        const currentYear = String(new Date().getFullYear())
        const year =
          years.find((each) => each === requestedYear) ?? years.find((each) => each <= currentYear) ?? years.at(-1) ?? currentYear
        return { year, years, summary: summarizeYear(await readListening(tables, year)) }
      }),
    [database, requestedYear],
  )
  return useLiveQuery(listeningQuery)
}

/** Returns the function that clears a year. It resolves with the function that restores the year. */
export function useClearYear(): (year: string) => Promise<() => Promise<void>> {
  const { database } = useServices()
  return useCallback(
    async (year) => {
      let removedRows: ListeningRow[] = []
      await database.change(async (tables) => {
        removedRows = await clearListening(tables, year)
      })
      return () => database.change((tables) => restoreListening(tables, removedRows))
    },
    [database],
  )
}
