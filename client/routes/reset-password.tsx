import { createFileRoute, redirect, useRouter } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { ResetPasswordPage } from '../features/account/reset-password-page.tsx'

interface Search {
  oobCode?: string
  /** A Firebase project has one address for the links of all its mails: what this one is for, in a word of its own. */
  mode?: unknown
}

export const Route = createFileRoute('/reset-password')({
  validateSearch: ({ oobCode, mode }): Search => ({ ...(typeof oobCode === 'string' && { oobCode }), mode }),
  beforeLoad({ search: { oobCode, mode } }) {
    if (mode === 'verifyEmail') throw redirect({ to: '/verify-email', search: oobCode === undefined ? {} : { oobCode }, replace: true })
  },
  head: ({ match }) => pageHead(match.context.services.site, 'Reset password'),
  component: ResetPassword,
})

const done = `/login?${new URLSearchParams({ success: 'Password reset successfully.' })}`

function ResetPassword() {
  const { oobCode = '' } = Route.useSearch()
  const router = useRouter()
  return <ResetPasswordPage key={oobCode} code={oobCode} onDone={(email) => router.history.replace(done, { email })} />
}
