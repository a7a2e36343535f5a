/* The fields of Stripe: the card goes from the browser to Stripe, and the form is sent with Stripe's id of it. */
const form = document.querySelector('form[data-stripe]');

if (form !== null && window.Stripe !== undefined) {
  const { stripe: key, amount, currency, language, failed } = form.dataset;
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
  const stripe = window.Stripe(key, { locale: language });
  const elements = stripe.elements({
    mode: 'payment',
    amount: Math.max(1, Math.round(Number(amount) * 10 ** digits)),
    currency,
    paymentMethodCreation: 'manual',
    paymentMethodTypes: ['card'],
    appearance: { theme: window.matchMedia('(prefers-color-scheme: dark)').matches ? 'night' : 'stripe' },
  });
  elements.create('payment').mount(form.querySelector('.stripe'));
  const button = form.querySelector('button');
  const error = form.querySelector('.error');
  const tell = (text) => {
    error.textContent = text;
    error.hidden = text === '';
    button.disabled = false;
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    button.disabled = true;
    submit().catch(() => tell(failed));
  });
  const submit = async () => {
    tell('');
    button.disabled = true;
    const checked = await elements.submit();
    if (checked.error !== undefined) return tell(checked.error.message ?? failed);
    const made = await stripe.createPaymentMethod({ elements });
    if (made.error !== undefined) return tell(made.error.message ?? failed);
    form.elements.namedItem('paymentMethod').value = made.paymentMethod.id;
    HTMLFormElement.prototype.submit.call(form);
  };
}
