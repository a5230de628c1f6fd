import { useEffect, useRef, useState } from 'react'
import { SEARCH_TEXT_MAX_LENGTH } from '../../../contract/search-rules.ts'
import { pageSearchFieldRef } from '../../hooks/search-field.ts'
import { isForInputMethod } from '../../primitives/keys.ts'
import { addListener } from '../../primitives/scope.ts'
import { Icon } from '../../ui/icon.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import styles from './nav-search.module.css'

// If the chunk of the suggestions cannot be loaded, the search box works without them.
const SearchSuggestions = lazyWithRetry(
  () => import('../../components/search-suggestions.tsx').then((module) => module.SearchSuggestions),
  {
    renderError: () => null,
  },
)

interface NavSearchProps {
  /** The text that was searched for, if the results page is open. */
  searchedText?: string | undefined
  onSearch: (query: string) => void
}

/**
 * Search in the navigation bar: a toggle and an input that is focused when opened, with the text of the results page or the last typed one. Enter
 * searches; Escape and a press outside close the input.
 */
export function NavSearch({ searchedText, onSearch }: NavSearchProps) {
  const [isOpen, setOpen] = useState(false)
  const formElement = useRef<HTMLFormElement>(null)
  const toggleButton = useRef<HTMLButtonElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const typedText = useRef('')

  useEffect(() => {
    if (!isOpen) return
    input.current?.select()
    const onPress = (event: PointerEvent) => {
      if (event.target instanceof Node && !formElement.current?.contains(event.target)) setOpen(false)
    }
    return addListener(document, 'pointerdown', onPress)
  }, [isOpen])

  return (
    <search>
      <form
        ref={formElement}
        action="/search"
        className={styles.form}
        data-open={isOpen}
        onSubmit={(event) => {
          event.preventDefault()
          const queryText = input.current?.value.trim() ?? ''
          if (queryText === '') return
          setOpen(false)
          onSearch(queryText)
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !isOpen || isForInputMethod(event.nativeEvent)) return
          setOpen(false)
          toggleButton.current?.focus()
        }}
        onBlur={(event) => {
          if (event.relatedTarget && !event.currentTarget.contains(event.relatedTarget)) setOpen(false)
        }}
      >
        {isOpen && <SearchSuggestions input={input} onFollowed={() => setOpen(false)} hasStartSuggestions />}
        {isOpen && (
          <label className={styles.box}>
            <Icon name="search" className={styles.glass} />
            <input
              ref={input}
              className={styles.input}
              type="search"
              role="combobox"
              aria-autocomplete="list"
              aria-expanded="false"
              defaultValue={searchedText ?? typedText.current}
              onInput={(event) => {
                typedText.current = event.currentTarget.value
              }}
              name="q"
              aria-label="Search songs and artists"
              placeholder="Songs and artists"
              autoComplete="off"
              enterKeyHint="search"
              maxLength={SEARCH_TEXT_MAX_LENGTH}
            />
          </label>
        )}
        <IconButton
          ref={toggleButton}
          icon={isOpen ? 'close' : 'search'}
          label="Search"
          look="bright"
          aria-expanded={isOpen}
          onClick={() => {
            // On the search page, the button focuses the page's own search field.
            pageSearchFieldRef.current?.focus()
            pageSearchFieldRef.current?.select()
            if (!pageSearchFieldRef.current) setOpen(!isOpen)
          }}
        />
      </form>
    </search>
  )
}
