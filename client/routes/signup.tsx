import { createFileRoute, useRouter } from '@tanstack/react-router'
import { usePendingFavorite, useReturnTo } from '../bindings/login-navigation.ts'
import { pageHead } from '../bindings/page-title.ts'
import { useSignOut } from '../bindings/sign-out.ts'
import { SignUpPage } from '../features/account/sign-up-page.tsx'
import { PendingFavorite } from '../features/favorites/pending-favorite.tsx'

export const Route = createFileRoute('/signup')({
  head: pageHead,
  component: SignUp,
})

function SignUp() {
  const router = useRouter()
  const returnTo = useReturnTo()
  const pendingFavorite = usePendingFavorite()
  return (
    <>
      <PendingFavorite />
      <SignUpPage
        onSignOut={useSignOut()}
        onDone={(email) =>
          router.history.replace('/login', { signedUp: true, email, pendingFavorite, ...(returnTo !== undefined && { returnTo }) })
        }
      />
    </>
  )
}
