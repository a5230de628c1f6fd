import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { useReturnTo } from '../bindings/return-to.ts'
import { useSignOut } from '../bindings/sign-out.ts'
import { LogInPage } from '../features/account/log-in-page.tsx'
import { PassingMessage } from '../features/account/passing-message.tsx'
import { WishedFavorite } from '../features/favorites/wished-favorite.tsx'

/** Longer texts are not the site's own. */
const MESSAGE_MAX = 300
const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value.slice(0, MESSAGE_MAX) : undefined)

export const Route = createFileRoute('/login')({
  validateSearch(search): { success?: string; error?: string } {
    const success = text(search.success)
    const error = text(search.error)
    return { ...(success !== undefined && { success }), ...(error !== undefined && { error }) }
  },
  head: ({ match }) => pageHead(match.context.services.site, 'Log in'),
  component: LogIn,
})

function LogIn() {
  const { success, error } = Route.useSearch()
  const router = useRouter()
  const returnTo = useReturnTo()
  const signOut = useSignOut()
  const { signedUp = false, email } = useLocation({ select: ({ state }) => state })
  const said = error ?? success ?? (signedUp ? 'Your account is ready. Log in to begin.' : undefined)
  return (
    <>
      <WishedFavorite />
      <LogInPage
        email={email}
        message={said !== undefined && <PassingMessage key={said} text={said} kind={error === undefined ? 'good' : 'bad'} />}
        onDone={() => router.history.replace(returnTo ?? '/')}
        onSignOut={signOut}
      />
    </>
  )
}
