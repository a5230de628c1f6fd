import { createFileRoute, useLocation, useRouter } from '@tanstack/react-router'
import { TransientMessage } from '../components/transient-message.tsx'
import { LoginPage } from '../features/account/login-page.tsx'
import { PendingFavorite } from '../features/favorites/pending-favorite.tsx'
import { useReturnTo } from '../hooks/login-navigation.ts'
import { createHeadForPage } from '../hooks/page-title.ts'
import { useSignOut } from '../hooks/sign-out.ts'

/** The maximum length of a message in the URL. The site's own messages are shorter. */
const MAX_MESSAGE_LENGTH = 300
const toMessageText = (value: unknown) => (typeof value === 'string' && value !== '' ? value.slice(0, MAX_MESSAGE_LENGTH) : undefined)

/** Whether a path, with or without a query, is that of an account page. */
const isAccountPath = (path = '') => /^\/account(?:[/?]|$)/.test(path)

export const Route = createFileRoute('/login')({
  validateSearch(searchParams): { success?: string; error?: string } {
    const success = toMessageText(searchParams.success)
    const error = toMessageText(searchParams.error)
    return { ...(success !== undefined && { success }), ...(error !== undefined && { error }) }
  },
  head: createHeadForPage,
  component: LogIn,
})

function LogIn() {
  const { success, error } = Route.useSearch()
  const router = useRouter()
  const returnTo = useReturnTo()
  const signOut = useSignOut()
  const { signedUp = false, email } = useLocation({ select: ({ state }) => state })
  const loginReason = signedUp
    ? 'Your account is ready. Log in to begin.'
    : isAccountPath(returnTo)
      ? 'Log in to see your account.'
      : undefined
  const messageText = error ?? success ?? loginReason
  return (
    <>
      <PendingFavorite />
      <LoginPage
        email={email}
        message={
          messageText !== undefined && <TransientMessage key={messageText} text={messageText} kind={error === undefined ? 'good' : 'bad'} />
        }
        onDone={() => router.history.replace(returnTo ?? '/')}
        onSignOut={signOut}
      />
    </>
  )
}
