import { type FormEvent, useState } from 'react'
import { SEARCH_TEXT_MAX_LENGTH } from '../../../contract/search-rules.ts'
import { createSearchPath, useNavigateTo } from '../../hooks/paths.ts'
import { pageSearchFieldRef } from '../../hooks/search-field.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyWithRetry } from '../../ui/lazy-with-retry.tsx'
import styles from './search-form.module.css'

// If the chunk of the suggestions cannot be loaded, the search field works without them.
const SearchSuggestions = lazyWithRetry(
  () => import('../../components/search-suggestions.tsx').then((module) => module.SearchSuggestions),
  { renderError: () => null },
)

interface SearchFormProps {
  /** The initial text of the field. On the results page, it is the text that was searched for. */
  text?: string
}

/** A form with a text field that opens the results page for the entered text. */
export function SearchForm({ text = '' }: SearchFormProps) {
  const navigateTo = useNavigateTo()
  const input = pageSearchFieldRef
  const [hasFocus, setHasFocus] = useState(false)
  const submitSearch = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typedText = new FormData(event.currentTarget).get('q')
    if (typeof typedText === 'string' && typedText.trim() !== '') navigateTo(createSearchPath(typedText.trim()))
  }
  return (
    <form
      action="/search"
      className={styles.form}
      onSubmit={submitSearch}
      onFocus={() => setHasFocus(true)}
      onBlur={({ currentTarget, relatedTarget }) => setHasFocus(currentTarget.contains(relatedTarget))}
    >
      <search className={styles.field}>
        <Icon name="search" className={styles.icon} />
        <input
          ref={input}
          className={styles.input}
          type="search"
          role="combobox"
          aria-autocomplete="list"
          aria-expanded="false"
          name="q"
          defaultValue={text}
          aria-label="Search songs and artists"
          placeholder="Songs and artists"
          maxLength={SEARCH_TEXT_MAX_LENGTH}
          autoComplete="off"
          enterKeyHint="search"
        />
        {hasFocus && <SearchSuggestions input={input} onFollowed={() => setHasFocus(false)} />}
      </search>
      <Button type="submit" variant={text === '' ? 'primary' : 'secondary'} size="big">
        Search
      </Button>
    </form>
  )
}
