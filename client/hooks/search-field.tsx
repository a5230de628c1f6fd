import { createContext, type ReactNode, type RefObject, useContext, useRef } from 'react'

const SearchFieldContext = createContext<RefObject<HTMLInputElement | null>>({ current: null })

/** Holds the search field of the page, so that the navigation bar can focus it. */
export function SearchFieldProvider({ children }: { children: ReactNode }) {
  return <SearchFieldContext value={useRef(null)}>{children}</SearchFieldContext>
}

/** Returns the ref of the search field of the page, which is empty while the page has none. */
export const usePageSearchField = (): RefObject<HTMLInputElement | null> => useContext(SearchFieldContext)
