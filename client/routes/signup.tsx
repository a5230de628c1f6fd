import { createFileRoute, useRouter } from '@tanstack/react-router'
import { pageHead } from '../bindings/page-title.ts'
import { useReturnTo, useWish } from '../bindings/return-to.ts'
import { useSignOut } from '../bindings/sign-out.ts'
import { SignUpPage } from '../features/account/sign-up-page.tsx'
import { WishedFavorite } from '../features/favorites/wished-favorite.tsx'

export const Route = createFileRoute('/signup')({
  head: ({ match }) => pageHead(match.context.services.site, 'Sign up'),
  component: SignUp,
})

function SignUp() {
  const router = useRouter()
  const returnTo = useReturnTo()
  const wish = useWish()
  return (
    <>
      <WishedFavorite />
      <SignUpPage
        onSignOut={useSignOut()}
        onDone={(email) => router.history.replace('/login', { signedUp: true, email, wish, ...(returnTo !== undefined && { returnTo }) })}
      />
    </>
  )
}
